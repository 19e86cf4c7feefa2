export { Backoff, type BackoffRange } from './backoff';
export { type Deadline, waitAtMost, withDeadline } from './deadline';
export { FairSlots } from './fair-slots';
export { type ShareLimits, Shares } from './shares';
export { SingleFlight } from './single-flight';
export { Slots } from './slots';
export { TurnQueue } from './turn-queue';
