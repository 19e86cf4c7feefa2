import { OutageError } from '@vitrine/runtime';

/** No queue is bound to the message's routing key: nobody would ever see it. */
export class UnroutableMessageError extends Error {
  override readonly name = 'UnroutableMessageError';
  constructor(readonly routingKey: string) {
    super(`No queue is bound to ${routingKey}`);
  }
}

/** The broker couldn't be reached, or didn't confirm, in time. */
export class BusUnavailableError extends OutageError {
  override readonly name = 'BusUnavailableError';
}

/** The message went back to its queue while it was under way; settling it here has no effect any more. */
export class DeliveryLostError extends Error {
  override readonly name = 'DeliveryLostError';
  constructor(queue: string, options?: ErrorOptions) {
    super(`A delivery of ${queue} was lost with its connection and will come again`, options);
  }
}
