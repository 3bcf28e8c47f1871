"""The functional core: values and total functions. Nothing here reads, writes, waits or asks the machine."""
