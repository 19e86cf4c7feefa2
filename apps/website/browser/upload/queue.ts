/** Maximum number of simultaneous uploads. */
export const MAX_CONCURRENT = 3;
/** Attempts for one file before the visitor must retry it. */
export const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** The size of the largest file that the service takes. */
export interface LargestFile {
  readonly bytes: number;
  /** The size in words, e.g. `100 MB`. */
  readonly words: string;
}

/** The facts about a file that the queue needs. */
export interface FileFacts {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** The media item that the service has created from a file. */
export interface UploadedMedia {
  readonly id: number;
  readonly slug: string;
  readonly video: boolean;
  /** The direct link of the file. */
  readonly link: string;
  /** Address of the thumbnail; available once the media item is processed. */
  readonly thumb: string;
  readonly processed: boolean;
  readonly status: 'approved' | 'pending' | 'nsfw' | 'rejected';
  /** Why processing failed; null if it didn't. */
  readonly error: string | null;
}

/** Why a file was not uploaded, in a sentence for the visitor. */
export interface Failure {
  readonly message: string;
  /**
   * `connection`: it may have arrived, so a retry uses the same key. `refused`: a retry is a new upload. `permanent`:
   * no retry.
   */
  readonly reason: 'connection' | 'refused' | 'permanent';
}

export type Stage =
  | { readonly name: 'waiting'; readonly notBefore: number }
  | { readonly name: 'sending'; readonly attempt: number; readonly sent: number; readonly total: number }
  | { readonly name: 'failed'; readonly failure: Failure }
  | { readonly name: 'uploaded'; readonly media: UploadedMedia };

export interface Item {
  readonly id: number;
  readonly file: FileFacts;
  /** Idempotency key, with which the service stores the file only once, however often it is sent. */
  readonly key: string;
  /** Failed attempts since the file was added or retried by the visitor. */
  readonly failedAttempts: number;
  readonly stage: Stage;
}

/** The files of the page in order, and what stops their uploads. Times are milliseconds since 1970. */
export interface Queue {
  readonly largest: LargestFile;
  readonly items: readonly Item[];
  /** Set by the visitor. */
  readonly paused: boolean;
  readonly online: boolean;
  /** No file is sent before this time; 0 if there is no limit. */
  readonly limitedUntil: number;
  /** After a failure of the network or the service, all files wait until this time; 0 if there is no failure. */
  readonly backoffUntil: number;
  /** Path of the login if the session has ended; else null. */
  readonly logInPath: string | null;
  readonly attempts: number;
}

export type NewFile = Pick<Item, 'id' | 'key' | 'file'>;

export type QueueEvent =
  | { readonly type: 'added'; readonly files: readonly NewFile[] }
  | { readonly type: 'restored'; readonly items: readonly (NewFile & { readonly media: UploadedMedia })[] }
  | { readonly type: 'moved'; readonly id: number; readonly to: number }
  | { readonly type: 'removed'; readonly id: number }
  /** The visitor has edited a file; the new one takes its place. */
  | { readonly type: 'replaced'; readonly id: number; readonly by: NewFile }
  | { readonly type: 'posted'; readonly ids: readonly number[] }
  /** By the visitor; `key` is used if the upload was refused, not if the connection failed. */
  | { readonly type: 'retried'; readonly id: number; readonly key: string }
  | { readonly type: 'paused' | 'resumed' | 'offline' | 'online' | 'time' }
  | {
      readonly type: 'progressed';
      readonly id: number;
      readonly attempt: number;
      readonly sent: number;
      readonly total: number;
    }
  | {
      readonly type: 'uploaded';
      readonly id: number;
      readonly attempt: number;
      readonly media: UploadedMedia;
    }
  | { readonly type: 'refused'; readonly id: number; readonly attempt: number; readonly failure: Failure }
  /** A temporary failure; the service may ask to wait for `afterMs`. */
  | { readonly type: 'retryable'; readonly id: number; readonly attempt: number; readonly afterMs: number }
  /** A rate limit, which applies to all files. */
  | { readonly type: 'limited'; readonly id: number; readonly attempt: number; readonly afterMs: number }
  | {
      readonly type: 'loggedOut';
      readonly id: number;
      readonly attempt: number;
      readonly logInPath: string;
    }
  | { readonly type: 'examined'; readonly media: readonly UploadedMedia[] };

/** The side effects that the queue requests. */
export type Command =
  | { readonly type: 'send'; readonly id: number; readonly attempt: number }
  | { readonly type: 'abort'; readonly attempt: number }
  /** Deletes a file from the service. */
  | { readonly type: 'discard'; readonly slug: string };

interface Step {
  readonly queue: Queue;
  readonly commands: readonly Command[];
}

export const emptyQueue = (online: boolean, largest: LargestFile): Queue => ({
  largest,
  items: [],
  paused: false,
  online,
  limitedUntil: 0,
  backoffUntil: 0,
  logInPath: null,
  attempts: 0,
});

/** Returns the queue after an event at the time `now`, and the commands to execute. A pure function. */
export function step(queue: Queue, event: QueueEvent, now: number): Step {
  const changed = react(queue, event, now);
  const started = startSending(changed.queue, now);
  return { queue: started.queue, commands: [...changed.commands, ...started.commands] };
}

/** When to send the event `time`; null if nothing changes by waiting. */
export function nextWake(queue: Queue, now: number): number | null {
  if (!queue.online || queue.paused || queue.logInPath !== null) return null;
  const times = queue.items.flatMap(({ stage }) =>
    stage.name === 'waiting' ? [Math.max(stage.notBefore, queue.limitedUntil, queue.backoffUntil)] : [],
  );
  const later = times.filter((time) => time > now);
  return later.length === 0 ? null : Math.min(...later);
}

/** Whether two files are probably the same: equal name, size and date. */
const isSameFile = (a: FileFacts, b: FileFacts): boolean =>
  a.name === b.name && a.size === b.size && a.modified === b.modified;

function react(queue: Queue, event: QueueEvent, now: number): Step {
  switch (event.type) {
    case 'added':
      return withoutCommands({
        ...queue,
        items: event.files.reduce((items, file) => withFile(items, file, queue.largest), queue.items),
      });
    case 'restored': {
      const items = event.items.map(({ media, ...file }) =>
        uploadedItem({ ...file, failedAttempts: 0 }, media),
      );
      return withoutCommands({ ...queue, items: [...items, ...queue.items] });
    }
    case 'moved':
      return withoutCommands({ ...queue, items: moved(queue.items, event.id, event.to) });
    case 'removed':
      return removed(queue, event.id);
    case 'replaced':
      return removed(queue, event.id, [event.by]);
    case 'posted':
      return withoutCommands({ ...queue, items: queue.items.filter(({ id }) => !event.ids.includes(id)) });
    case 'retried':
      return withoutCommands(mapItem(queue, event.id, (item) => retried(item, event.key)));
    case 'paused':
      return stopSending({ ...queue, paused: true });
    case 'offline':
      return stopSending({ ...queue, online: false });
    case 'resumed':
      return withoutCommands(withoutDelays({ ...queue, paused: false, limitedUntil: 0, logInPath: null }));
    case 'online':
      return withoutCommands(withoutDelays({ ...queue, online: true }));
    case 'time':
      return withoutCommands(queue);
    case 'examined':
      return withoutCommands({ ...queue, items: queue.items.map((item) => examined(item, event.media)) });
    case 'uploaded':
      return arrived(queue, event);
    default:
      return withoutCommands(afterNews(queue, event, now));
  }
}

const withoutCommands = (queue: Queue): Step => ({ queue, commands: [] });
const waiting = (notBefore = 0): Stage => ({ name: 'waiting', notBefore });
const uploadedItem = (item: Omit<Item, 'stage'>, media: UploadedMedia): Item => ({
  ...item,
  stage: { name: 'uploaded', media },
});

const mapItem = (queue: Queue, id: number, change: (item: Item) => Item): Queue => ({
  ...queue,
  items: queue.items.map((item) => (item.id === id ? change(item) : item)),
});

/** Adds a file, unless it is already in the list; replaces an item that failed. */
function withFile(items: readonly Item[], file: NewFile, largest: LargestFile): readonly Item[] {
  const item = newItem(file, largest);
  const same = items.findIndex((other) => isSameFile(other.file, file.file));
  if (same === -1) return [...items, item];
  return items[same]?.stage.name === 'failed' ? items.with(same, item) : items;
}

const newItem = (file: NewFile, largest: LargestFile): Item => ({
  ...file,
  failedAttempts: 0,
  stage: stageOf(file.file, largest),
});

/** The first stage of a file: it fails at once if it is empty or too large. */
function stageOf({ size }: FileFacts, largest: LargestFile): Stage {
  const permanentFailure = (message: string): Stage => ({
    name: 'failed',
    failure: { reason: 'permanent', message },
  });
  if (size > largest.bytes) {
    return permanentFailure(`This file is larger than the limit of ${largest.words}. Try a smaller version.`);
  }
  return size === 0 ? permanentFailure('This file is empty.') : waiting();
}

function moved(items: readonly Item[], id: number, to: number): readonly Item[] {
  const item = items.find((other) => other.id === id);
  if (!item) return items;
  return items.filter((other) => other !== item).toSpliced(Math.max(0, to), 0, item);
}

/**
 * Removes a file, or puts another in its place. That has its own id, so that a late answer about the old one is recognised
 * and its upload discarded.
 */
function removed(queue: Queue, id: number, by: readonly NewFile[] = []): Step {
  const item = queue.items.find((other) => other.id === id);
  const instead = by.map((file) => newItem(file, queue.largest));
  return {
    queue: { ...queue, items: queue.items.flatMap((other) => (other === item ? instead : other)) },
    commands: item ? endOf(item) : [],
  };
}

function endOf({ stage }: Item): readonly Command[] {
  if (stage.name === 'sending') return [{ type: 'abort', attempt: stage.attempt }];
  return stage.name === 'uploaded' ? [{ type: 'discard', slug: stage.media.slug }] : [];
}

function retried(item: Item, key: string): Item {
  if (item.stage.name !== 'failed' || item.stage.failure.reason === 'permanent') return item;
  const isOther = item.stage.failure.reason === 'refused';
  return { ...item, key: isOther ? key : item.key, failedAttempts: 0, stage: waiting() };
}

/** Aborts all current uploads and puts them back into the queue. */
function stopSending(queue: Queue): Step {
  const sending = queue.items.filter(({ stage }) => stage.name === 'sending');
  return {
    queue: {
      ...queue,
      items: queue.items.map((item) => (sending.includes(item) ? { ...item, stage: waiting() } : item)),
    },
    commands: sending.flatMap(endOf),
  };
}

/** Ends all waiting times and retries files whose connection failed. */
const withoutDelays = (queue: Queue): Queue => ({
  ...queue,
  backoffUntil: 0,
  items: queue.items.map((item) => {
    const { stage } = item;
    const hasFailed = stage.name === 'failed' && stage.failure.reason === 'connection';
    return hasFailed || stage.name === 'waiting' ? { ...item, failedAttempts: 0, stage: waiting() } : item;
  }),
});

function examined(item: Item, media: readonly UploadedMedia[]): Item {
  if (item.stage.name !== 'uploaded') return item;
  const { slug } = item.stage.media;
  const news = media.find((other) => other.slug === slug);
  return news ? uploadedItem(item, news) : item;
}

/**
 * Records an uploaded file, also if its attempt was aborted in the meantime: the key identifies it. If the file was
 * removed from the page, it is discarded from the service.
 */
function arrived(queue: Queue, { id, attempt, media }: QueueEvent & { type: 'uploaded' }): Step {
  const item = queue.items.find((other) => other.id === id);
  if (!item) return { queue, commands: [{ type: 'discard', slug: media.slug }] };
  if (item.stage.name === 'uploaded') return withoutCommands(queue);
  const isOther = item.stage.name === 'sending' && item.stage.attempt !== attempt;
  return {
    queue: { ...mapItem(queue, id, (own) => uploadedItem(own, media)), backoffUntil: 0 },
    commands: isOther ? endOf(item) : [],
  };
}

type News = QueueEvent & { type: 'progressed' | 'refused' | 'retryable' | 'limited' | 'loggedOut' };

/** Handles a report about an attempt; ignores attempts that were aborted. */
function afterNews(queue: Queue, news: News, now: number): Queue {
  const item = queue.items.find(({ id }) => id === news.id);
  if (item?.stage.name !== 'sending' || item.stage.attempt !== news.attempt) return queue;
  const { stage } = item;
  const put = (change: Partial<Item>): Queue => mapItem(queue, news.id, (own) => ({ ...own, ...change }));
  switch (news.type) {
    case 'progressed':
      return put({ stage: { ...stage, sent: news.sent, total: news.total } });
    case 'refused':
      return put({ stage: { name: 'failed', failure: news.failure } });
    case 'retryable': {
      const failedAttempts = item.failedAttempts + 1;
      if (failedAttempts >= MAX_ATTEMPTS)
        return put({ failedAttempts, stage: { name: 'failed', failure: NO_CONNECTION } });
      const pause = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** item.failedAttempts);
      const notBefore = now + Math.max(pause, news.afterMs);
      const backoffUntil = Math.max(queue.backoffUntil, notBefore);
      return { ...put({ failedAttempts, stage: waiting(notBefore) }), backoffUntil };
    }
    case 'limited':
      return {
        ...put({ stage: waiting() }),
        limitedUntil: Math.max(queue.limitedUntil, now + news.afterMs),
      };
    case 'loggedOut':
      return { ...put({ stage: waiting() }), logInPath: news.logInPath };
  }
}

const NO_CONNECTION: Failure = {
  reason: 'connection',
  message: 'The connection kept failing. Nothing is lost; try again later.',
};

/** Starts as many uploads as allowed, in the order of the page. */
function startSending(queue: Queue, now: number): Step {
  const { items, online, paused, logInPath, limitedUntil, backoffUntil } = queue;
  if (!online || paused || logInPath !== null || Math.max(limitedUntil, backoffUntil) > now)
    return withoutCommands(queue);
  const free = MAX_CONCURRENT - items.filter(({ stage }) => stage.name === 'sending').length;
  const next = items
    .filter(({ stage }) => stage.name === 'waiting' && stage.notBefore <= now)
    .slice(0, Math.max(0, free))
    .map(({ id, file }, index) => ({ id, attempt: queue.attempts + index + 1, total: file.size }));
  return {
    queue: {
      ...queue,
      attempts: queue.attempts + next.length,
      items: items.map((item) => {
        const begun = next.find(({ id }) => id === item.id);
        if (!begun) return item;
        return {
          ...item,
          stage: { name: 'sending', attempt: begun.attempt, sent: 0, total: begun.total },
        };
      }),
    },
    commands: next.map(({ id, attempt }) => ({ type: 'send', id, attempt })),
  };
}
