package io.shardwright.sim.check;

import io.grpc.Status;
import io.shardwright.sim.network.Wire;

/** S13. */
final class QuietLoops implements Invariant {

    @Override
    public String id() {
        return "S13";
    }

    @Override
    public boolean restsOnTheStore() {
        return false;
    }

    @Override
    public String statement() {
        return "no exception escapes an event loop or a service, and no timer or call outlives its process";
    }

    @Override
    public void threw(String process, Throwable thrown, World world) {
        StackTraceElement[] trace = thrown.getStackTrace();
        world.violated(this, process + " threw " + thrown + (trace.length == 0 ? "" : " at " + trace[0]));
    }

    @Override
    public void left(String process, int timers, int connections, World world) {
        if (timers > 0 || connections > 0) {
            world.violated(
                    this, process + " stopped and left " + timers + " timers and " + connections + " connections");
        }
    }

    @Override
    public void sent(Wire.Packet packet, World world) {
        if (packet.content() instanceof Status status
                && (status.getCode() == Status.Code.UNKNOWN || status.getCode() == Status.Code.INTERNAL)) {
            world.violated(this, packet.from() + " ended a call of " + packet.to() + " with " + status);
        }
    }
}
