/** Files on their way at a time. */
export const AT_ONCE = 3;
/** Tries of one file before it is the visitor's turn. */
export const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The size of the largest file that the service takes. */
export interface LargestFile {
  readonly bytes: number;
  /** The size in words, e.g. `100 MB`. */
  readonly words: string;
}

/** What the page must know of a file; its bytes are the browser's. */
export interface FileFacts {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** What the service has made of a file. */
export interface UploadedMedia {
  readonly id: number;
  readonly slug: string;
  readonly video: boolean;
  /** Address of a small picture; it answers once the media is processed. */
  readonly thumb: string;
  readonly processed: boolean;
  readonly status: 'approved' | 'pending' | 'nsfw' | 'rejected';
  /** Why it can't be shown after all; null where it can. */
  readonly error: string | null;
}

/** Why a file is not uploaded, in a sentence for its owner. */
export interface Failure {
  readonly message: string;
  /** `connection`: it may have arrived, so the same key goes with it again. `refused`: another try is another upload. */
  readonly reason: 'connection' | 'refused' | 'hopeless';
}

export type Stage =
  | { readonly name: 'waiting'; readonly notBefore: number }
  | { readonly name: 'sending'; readonly attempt: number; readonly sent: number; readonly total: number }
  | { readonly name: 'failed'; readonly failure: Failure }
  | { readonly name: 'uploaded'; readonly media: UploadedMedia };

export interface Item {
  readonly id: number;
  readonly file: FileFacts;
  /** Idempotency key: under one, the service takes a file in once, however often it is sent. */
  readonly key: string;
  /** Tries that came to nothing since the file was added, or tried again by hand. */
  readonly tries: number;
  readonly stage: Stage;
}

/** The files of the page in their order, and what keeps them from going on. Times are milliseconds since 1970. */
export interface Queue {
  readonly largest: LargestFile;
  readonly items: readonly Item[];
  /** By the visitor. */
  readonly paused: boolean;
  readonly online: boolean;
  /** No file is sent before then; 0 where nothing is limited. */
  readonly limitedUntil: number;
  /** Where the way or the service fails, the other files wait with the one that found out; 0 where all is well. */
  readonly quietUntil: number;
  /** Where to log in, when the session has ended; else null. */
  readonly logInPath: string | null;
  readonly attempts: number;
}

export type NewFile = Pick<Item, 'id' | 'key' | 'file'>;

export type QueueEvent =
  | { readonly type: 'added'; readonly files: readonly NewFile[] }
  | { readonly type: 'restored'; readonly items: readonly (NewFile & { readonly media: UploadedMedia })[] }
  | { readonly type: 'moved'; readonly id: number; readonly to: number }
  | { readonly type: 'removed'; readonly id: number }
  | { readonly type: 'posted'; readonly ids: readonly number[] }
  /** By the visitor; `key` is used where what failed was the upload itself, not its way. */
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
  /** It may work in a moment; not before `afterMs`, where the service has said so. */
  | { readonly type: 'stumbled'; readonly id: number; readonly attempt: number; readonly afterMs: number }
  /** A limit that holds for every file. */
  | { readonly type: 'limited'; readonly id: number; readonly attempt: number; readonly afterMs: number }
  | {
      readonly type: 'loggedOut';
      readonly id: number;
      readonly attempt: number;
      readonly logInPath: string;
    }
  | { readonly type: 'examined'; readonly media: readonly UploadedMedia[] };

/** What has to be done about the world. */
export type Command =
  | { readonly type: 'send'; readonly id: number; readonly attempt: number }
  | { readonly type: 'abort'; readonly attempt: number }
  /** The service has a file that nobody wants. */
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
  quietUntil: 0,
  logInPath: null,
  attempts: 0,
});

/** The queue after an event at the time `now`, and what is to be done. Pure. */
export function step(queue: Queue, event: QueueEvent, now: number): Step {
  const changed = react(queue, event, now);
  const started = start(changed.queue, now);
  return { queue: started.queue, commands: [...changed.commands, ...started.commands] };
}

/** When to give the event `time`; null where only other events can change anything. */
export function nextWake(queue: Queue, now: number): number | null {
  if (!queue.online || queue.paused || queue.logInPath !== null) return null;
  const times = queue.items.flatMap(({ stage }) =>
    stage.name === 'waiting' ? [Math.max(stage.notBefore, queue.limitedUntil, queue.quietUntil)] : [],
  );
  const later = times.filter((time) => time > now);
  return later.length === 0 ? null : Math.min(...later);
}

/** Whether two files of a disk are one and the same, as far as a page can know. */
const isSameFile = (a: FileFacts, b: FileFacts): boolean =>
  a.name === b.name && a.size === b.size && a.modified === b.modified;

function react(queue: Queue, event: QueueEvent, now: number): Step {
  switch (event.type) {
    case 'added':
      return only({
        ...queue,
        items: event.files.reduce((items, file) => withFile(items, file, queue.largest), queue.items),
      });
    case 'restored': {
      const items = event.items.map(({ media, ...file }) => uploadedItem({ ...file, tries: 0 }, media));
      return only({ ...queue, items: [...items, ...queue.items] });
    }
    case 'moved':
      return only({ ...queue, items: moved(queue.items, event.id, event.to) });
    case 'removed':
      return removed(queue, event.id);
    case 'posted':
      return only({ ...queue, items: queue.items.filter(({ id }) => !event.ids.includes(id)) });
    case 'retried':
      return only(mapItem(queue, event.id, (item) => again(item, event.key)));
    case 'paused':
      return halt({ ...queue, paused: true });
    case 'offline':
      return halt({ ...queue, online: false });
    case 'resumed':
      return only(hurried({ ...queue, paused: false, limitedUntil: 0, logInPath: null }));
    case 'online':
      return only(hurried({ ...queue, online: true }));
    case 'time':
      return only(queue);
    case 'examined':
      return only({ ...queue, items: queue.items.map((item) => examined(item, event.media)) });
    case 'uploaded':
      return arrived(queue, event);
    default:
      return only(heard(queue, event, now));
  }
}

const only = (queue: Queue): Step => ({ queue, commands: [] });
const waiting = (notBefore = 0): Stage => ({ name: 'waiting', notBefore });
const uploadedItem = (item: Omit<Item, 'stage'>, media: UploadedMedia): Item => ({
  ...item,
  stage: { name: 'uploaded', media },
});

const mapItem = (queue: Queue, id: number, change: (item: Item) => Item): Queue => ({
  ...queue,
  items: queue.items.map((item) => (item.id === id ? change(item) : item)),
});

/** The same file a second time is no second item; where the first one failed it takes its place. */
function withFile(items: readonly Item[], { id, key, file }: NewFile, largest: LargestFile): readonly Item[] {
  const item: Item = { id, key, file, tries: 0, stage: stageOf(file, largest) };
  const same = items.findIndex((other) => isSameFile(other.file, file));
  if (same === -1) return [...items, item];
  return items[same]?.stage.name === 'failed' ? items.with(same, item) : items;
}

/** What can't become an upload is told before a byte is sent. */
function stageOf({ size }: FileFacts, largest: LargestFile): Stage {
  const hopeless = (message: string): Stage => ({ name: 'failed', failure: { reason: 'hopeless', message } });
  if (size > largest.bytes) {
    return hopeless(
      `This file is larger than ${largest.words}, which is the most we take. Try a smaller version.`,
    );
  }
  return size === 0 ? hopeless('This file is empty.') : waiting();
}

function moved(items: readonly Item[], id: number, to: number): readonly Item[] {
  const item = items.find((other) => other.id === id);
  if (!item) return items;
  return items.filter((other) => other !== item).toSpliced(Math.max(0, to), 0, item);
}

function removed(queue: Queue, id: number): Step {
  const item = queue.items.find((other) => other.id === id);
  return {
    queue: { ...queue, items: queue.items.filter((other) => other !== item) },
    commands: item ? endOf(item) : [],
  };
}

function endOf({ stage }: Item): readonly Command[] {
  if (stage.name === 'sending') return [{ type: 'abort', attempt: stage.attempt }];
  return stage.name === 'uploaded' ? [{ type: 'discard', slug: stage.media.slug }] : [];
}

function again(item: Item, key: string): Item {
  if (item.stage.name !== 'failed' || item.stage.failure.reason === 'hopeless') return item;
  const isOther = item.stage.failure.reason === 'refused';
  return { ...item, key: isOther ? key : item.key, tries: 0, stage: waiting() };
}

/** Takes what is on its way back into line. */
function halt(queue: Queue): Step {
  const sending = queue.items.filter(({ stage }) => stage.name === 'sending');
  return {
    queue: {
      ...queue,
      items: queue.items.map((item) => (sending.includes(item) ? { ...item, stage: waiting() } : item)),
    },
    commands: sending.flatMap(endOf),
  };
}

/** Nothing waits for a time any more, and what failed for want of a connection is tried again. */
const hurried = (queue: Queue): Queue => ({
  ...queue,
  quietUntil: 0,
  items: queue.items.map((item) => {
    const { stage } = item;
    const hasFailed = stage.name === 'failed' && stage.failure.reason === 'connection';
    return hasFailed || stage.name === 'waiting' ? { ...item, tries: 0, stage: waiting() } : item;
  }),
});

function examined(item: Item, media: readonly UploadedMedia[]): Item {
  if (item.stage.name !== 'uploaded') return item;
  const { slug } = item.stage.media;
  const news = media.find((other) => other.slug === slug);
  return news ? uploadedItem(item, news) : item;
}

/**
 * A file that has arrived has arrived, also where its attempt was given up meanwhile: it goes by its key. One that was
 * taken off the page is not kept by the service either.
 */
function arrived(queue: Queue, { id, attempt, media }: QueueEvent & { type: 'uploaded' }): Step {
  const item = queue.items.find((other) => other.id === id);
  if (!item) return { queue, commands: [{ type: 'discard', slug: media.slug }] };
  if (item.stage.name === 'uploaded') return only(queue);
  const isOther = item.stage.name === 'sending' && item.stage.attempt !== attempt;
  return {
    queue: { ...mapItem(queue, id, (own) => uploadedItem(own, media)), quietUntil: 0 },
    commands: isOther ? endOf(item) : [],
  };
}

type News = QueueEvent & { type: 'progressed' | 'refused' | 'stumbled' | 'limited' | 'loggedOut' };

/** News of an attempt that was given up are none. */
function heard(queue: Queue, news: News, now: number): Queue {
  const item = queue.items.find(({ id }) => id === news.id);
  if (item?.stage.name !== 'sending' || item.stage.attempt !== news.attempt) return queue;
  const { stage } = item;
  const put = (change: Partial<Item>): Queue => mapItem(queue, news.id, (own) => ({ ...own, ...change }));
  switch (news.type) {
    case 'progressed':
      return put({ stage: { ...stage, sent: news.sent, total: news.total } });
    case 'refused':
      return put({ stage: { name: 'failed', failure: news.failure } });
    case 'stumbled': {
      const tries = item.tries + 1;
      if (tries >= MAX_TRIES) return put({ tries, stage: { name: 'failed', failure: NO_CONNECTION } });
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** item.tries);
      const notBefore = now + Math.max(pause, news.afterMs);
      const quietUntil = Math.max(queue.quietUntil, notBefore);
      return { ...put({ tries, stage: waiting(notBefore) }), quietUntil };
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
  message: 'The connection kept failing. Nothing is lost: try again when it is better.',
};

/** Sends as many as may be on their way, in the order of the page. */
function start(queue: Queue, now: number): Step {
  const { items, online, paused, logInPath, limitedUntil, quietUntil } = queue;
  if (!online || paused || logInPath !== null || Math.max(limitedUntil, quietUntil) > now) return only(queue);
  const free = AT_ONCE - items.filter(({ stage }) => stage.name === 'sending').length;
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
