/** The NOTIFY channel of publications; the payload is the name of the queue. */
export const BUS_CHANNEL = 'vitrine_bus';

/** "vbus" in ASCII: first half of the key of the advisory lock that a consuming session holds. */
export const CONSUMER_LOCK = 0x76627573;
