// What the server told: namespaces, their executors and shards, and the last events. Knows nothing of the page.
// The messages are described at DashboardFeed.java.

export const KEPT = 200;

export class Namespace {
  constructor(message) {
    this.name = message.name;
    this.fixed = message.fixed;
    this.leaseMillis = message.leaseMillis;
    this.balancer = message.balancer;
    this.executors = new Map();
    this.cells = []; // in the order in which they are shown
    this.byKey = new Map();
    this.counts = new Map(); // executor id -> shards it may run
    this.unowned = 0;
    this.releasing = 0;
    this.maxLoad = 0;
    this.update(message);
  }

  /** Takes a message; returns the cells that look different, and whether the set of cells is another one. */
  update(message) {
    this.revision = message.revision;
    if (message.executors) this.#executors(message.executors);
    for (const [id, left, age, load] of message.figures) {
      const executor = this.executors.get(id);
      if (executor) Object.assign(executor, { left, age, load });
    }
    const touched = new Set();
    let reordered = this.#remove(message.removed ?? []);
    for (const [key, epoch, owner, next] of message.shards) {
      let cell = this.byKey.get(key);
      if (cell) {
        this.#count(cell, -1);
      } else {
        cell = { key, load: null };
        this.byKey.set(key, cell);
        this.cells.push(cell);
        reordered = true;
      }
      cell.epoch = epoch;
      cell.owner = owner === undefined ? null : message.names[owner];
      cell.releasing = next !== undefined;
      cell.next = next >= 0 ? message.names[next] : null;
      if (cell.owner === null) cell.load = null;
      this.#count(cell, 1);
      touched.add(cell);
    }
    for (const [key, load] of message.loads) {
      const cell = this.byKey.get(key);
      if (cell) {
        cell.load = load;
        touched.add(cell);
      }
    }
    if (reordered) {
      if (!this.fixed) this.cells.sort((a, b) => (a.key < b.key ? -1 : 1));
      this.cells.forEach((cell, index) => { cell.index = index; });
    }
    return { touched, reordered, rescaled: this.#rescale() };
  }

  #executors(list) {
    const before = this.executors;
    this.executors = new Map(list.map((executor) => [executor.id, { ...before.get(executor.id), ...executor }]));
  }

  #remove(keys) {
    for (const key of keys) {
      const cell = this.byKey.get(key);
      if (cell) {
        this.#count(cell, -1);
        this.byKey.delete(key);
      }
    }
    if (keys.length > 0) this.cells = this.cells.filter((cell) => this.byKey.get(cell.key) === cell);
    return keys.length > 0;
  }

  #count(cell, by) {
    if (cell.owner === null) this.unowned += by;
    else this.counts.set(cell.owner, (this.counts.get(cell.owner) ?? 0) + by);
    if (cell.releasing) this.releasing += by;
  }

  /** The scale of the loads; it moves only when it is off by more than a tenth, because all cells are painted anew then. */
  #rescale() {
    let max = 0;
    for (const cell of this.cells) if (cell.load > max) max = cell.load;
    if (max <= this.maxLoad && max >= this.maxLoad * 0.8) return false;
    this.maxLoad = max * 1.1;
    return true;
  }
}

export class State {
  constructor() {
    this.reset();
  }

  reset() {
    this.namespaces = new Map();
    this.events = [];
    this.moves = [];
    this.sequence = 0;
    this.moveCount = 0;
    this.serving = false;
  }

  /** Takes a message; returns the new moves, and per namespace what changed ("whole": everything). */
  apply(message) {
    if (message.kind === 'snapshot') this.reset();
    this.serving = message.serving;
    const changes = new Map();
    for (const name of message.gone ?? []) {
      this.namespaces.delete(name);
      changes.set(name, 'whole');
    }
    for (const whole of message.whole) {
      this.namespaces.set(whole.name, new Namespace(whole));
      changes.set(whole.name, 'whole');
    }
    for (const changed of message.changed ?? []) {
      const namespace = this.namespaces.get(changed.name);
      if (namespace) changes.set(changed.name, namespace.update(changed));
    }
    const unseen = (item) => item.sequence > this.sequence;
    const moves = message.moves.filter(unseen);
    const events = message.events.filter(unseen);
    this.moves = [...this.moves, ...moves].slice(-KEPT);
    this.events = [...this.events, ...events].slice(-KEPT);
    for (const item of [...moves, ...events]) this.sequence = Math.max(this.sequence, item.sequence);
    this.moveCount = message.moveCount;
    return { changes, moves: message.kind === 'snapshot' ? [] : moves };
  }
}
