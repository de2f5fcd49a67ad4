package io.shardwright.cli;

import io.shardwright.cli.call.Address;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}. */
final class AddressConverter implements ITypeConverter<Address> {
    @Override
    public Address convert(String text) {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
