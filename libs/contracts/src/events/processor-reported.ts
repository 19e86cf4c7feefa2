import { defineEvent } from './event';

/** The settings in effect of a media-processor, which has no database. They contain no secrets. */
export interface ProcessorReported {
  /** The replica. */
  readonly instance: string;
  readonly settings: readonly {
    readonly name: string;
    readonly description: string;
    readonly secret: boolean;
    readonly set: boolean;
    /** Null for a secret. */
    readonly value: string | null;
  }[];
}
export const processorReported = defineEvent<ProcessorReported>()('processor.reported', 1, {
  consumers: ['upload-service'],
});
