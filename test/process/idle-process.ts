/** A process that does nothing until it is ended. */
setInterval(() => undefined, 1000);
