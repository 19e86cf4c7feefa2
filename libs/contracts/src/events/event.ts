/** One kind of event on the bus: its routing key, the version of its payload, and who must act on it. */
export interface EventDefinition<Type extends string, Data> {
  readonly type: Type;
  readonly version: number;
  /**
   * Services that must act on it. Their queues exist before the first publication, so none of them misses one by
   * starting late. Where it is empty the event only informs, and is dropped when nobody has bound a queue.
   */
  readonly consumers: readonly string[];
  /** Carries the payload's type; never set. */
  readonly data?: Data;
}

/** Declares an event; the payload's type is given, its name and version are inferred. */
export const defineEvent =
  <Data>() =>
  <const Type extends string>(
    type: Type,
    version: number,
    { consumers }: { readonly consumers: readonly string[] },
  ): EventDefinition<Type, Data> => ({ type, version, consumers });

/** Every message on the bus, as JSON. */
export interface EventEnvelope<Data = unknown> {
  /** UUID; the same in every delivery of one event, so consumers can tell doubles. */
  readonly id: string;
  /** Routing key, e.g. `media.uploaded`. */
  readonly type: string;
  readonly version: number;
  /** ISO 8601, when the change was committed. */
  readonly occurred_at: string;
  /** Ties together everything that one request set off. */
  readonly correlation_id: string;
  readonly data: Data;
}
