/** Every publication notifies this channel with the queue's name. */
export const BUS_CHANNEL = 'vitrine_bus';

/** "vbus" in ASCII: first half of the advisory lock that a consumer holds for as long as its session lives. */
export const CONSUMER_LOCK = 0x76627573;
