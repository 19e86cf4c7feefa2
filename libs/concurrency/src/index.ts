export { Backoff } from './backoff';
export { untilAborted, waitAtMost, withDeadline } from './deadline';
export { FairSlots } from './fair-slots';
export { Batches } from './batches';
export { BACKGROUND_NICENESS, lowerPriority } from './priority';
export { type ShareLimits, Shares } from './shares';
export { SingleFlight } from './single-flight';
export { Slots } from './slots';
export { TurnQueue } from './turn-queue';
