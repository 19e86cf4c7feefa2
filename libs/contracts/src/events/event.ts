/** One kind of event on the bus: its routing key, the version of its payload, and who must act on it. */
export interface EventDefinition<Type extends string, Data> {
  readonly type: Type;
  readonly version: number;
  /**
   * Services that must act on it. Their queues exist before the first publication, so a service that starts late misses
   * nothing. If the list is empty, the event only informs: it is dropped unless a queue is bound.
   */
  readonly consumers: readonly string[];
  /** Older versions that consumers still accept, because such messages may wait in queues or come from old replicas. */
  readonly accepts: readonly OlderVersion<Data>[];
  /** Carries the type of the payload; never set. */
  readonly data?: Data;
}

/** Converts the payload of an older version. */
export interface OlderVersion<Data> {
  readonly version: number;
  /** Pure; its parameter is the older payload's type. */
  readonly upgrade: (data: never) => Data;
}

export interface EventOptions<Data> {
  readonly consumers: readonly string[];
  readonly accepts?: readonly OlderVersion<Data>[];
}

/** Declares an event. The payload's type is given; name and version are inferred. */
export const defineEvent =
  <Data>() =>
  <const Type extends string>(
    type: Type,
    version: number,
    { consumers, accepts = [] }: EventOptions<Data>,
  ): EventDefinition<Type, Data> => ({ type, version, consumers, accepts });

/** Every message on the bus, as JSON. */
export interface EventEnvelope<Data = unknown> {
  /** UUID; the same in every delivery of an event, so consumers recognise duplicates. */
  readonly id: string;
  /** Routing key, e.g. `media.uploaded`. */
  readonly type: string;
  readonly version: number;
  /** ISO 8601, when the change was committed. */
  readonly occurred_at: string;
  /** Links everything that one request caused. */
  readonly correlation_id: string;
  /**
   * W3C Trace Context of the cause; absent if tracing is off. It is part of the envelope and not a header of the broker,
   * because an event may wait in the outbox for hours, and both transports must pass it on.
   */
  readonly traceparent?: string;
  readonly data: Data;
}
