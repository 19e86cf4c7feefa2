import type { Migration } from './migration';

/** The queue of `media.uploaded`, which no service consumes any more: its messages would stay. */
export const unusedQueue: Migration = {
  name: '0053_unused_queue',
  up: `
delete from bus.queues where name = 'media-processor.media.uploaded';
delete from bus.messages where queue = 'media-processor.media.uploaded';
`,
};
