/** One kind of event on the bus: its routing key, the version of its payload, and who must act on it. */
export interface EventDefinition<Type extends string, Data> {
  readonly type: Type;
  readonly version: number;
  /**
   * Services that must act on it. Their queues exist before the first publication, so none of them misses one by
   * starting late. Where it is empty the event only informs, and is dropped when nobody has bound a queue.
   */
  readonly consumers: readonly string[];
  /** Versions of releases before that consumers still take: their messages may wait in queues, or still be sent. */
  readonly accepts: readonly OlderVersion<Data>[];
  /** Carries the payload's type; never set. */
  readonly data?: Data;
}

/** How the payload of an older version reads as the one of today. */
export interface OlderVersion<Data> {
  readonly version: number;
  /** Pure; its parameter is the older payload's type. */
  readonly upgrade: (data: never) => Data;
}

export interface EventOptions<Data> {
  readonly consumers: readonly string[];
  readonly accepts?: readonly OlderVersion<Data>[];
}

/** Declares an event; the payload's type is given, its name and version are inferred. */
export const defineEvent =
  <Data>() =>
  <const Type extends string>(
    type: Type,
    version: number,
    { consumers, accepts = [] }: EventOptions<Data>,
  ): EventDefinition<Type, Data> => ({ type, version, consumers, accepts });

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
  /** W3C Trace Context of whatever caused the event; absent where nobody traces. */
  readonly traceparent?: string;
  readonly data: Data;
}
