import { OutageError } from '@vitrine/runtime';

/** No queue is bound to the routing key of the message, so no consumer would get it. */
export class UnroutableMessageError extends Error {
  override readonly name = 'UnroutableMessageError';
  constructor(readonly routingKey: string) {
    super(`No queue is bound to ${routingKey}`);
  }
}

/** The broker couldn't be reached or didn't confirm in time. */
export class BusUnavailableError extends OutageError {
  override readonly name = 'BusUnavailableError';
}

/** The message went back to its queue while it was in progress; settling it here has no effect. */
export class DeliveryLostError extends Error {
  override readonly name = 'DeliveryLostError';
  constructor(queue: string, options?: ErrorOptions) {
    super(
      `A delivery of ${queue} was lost with its connection; the message will be delivered again`,
      options,
    );
  }
}
