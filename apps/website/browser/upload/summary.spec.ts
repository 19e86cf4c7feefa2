import { MAX_POST_MEDIA as MAX_IN_CONTRACTS } from '@vitrine/contracts';
import { emptyQueue, type Item, type Queue, type Stage, type UploadedMedia } from './queue';
import { announcementOf, hasWork, MAX_POST_MEDIA, postable, type Summary, summaryOf } from './summary';

const media = (change: Partial<UploadedMedia> = {}): Stage => ({
  name: 'uploaded',
  media: {
    id: 1,
    slug: 'abc1234',
    video: false,
    link: '',
    thumb: '',
    processed: true,
    status: 'approved',
    error: null,
    ...change,
  },
});
const waiting: Stage = { name: 'waiting', notBefore: 0 };
const failed: Stage = { name: 'failed', failure: { reason: 'refused', message: 'No.' } };
const sending = (sent: number, total: number): Stage => ({ name: 'sending', attempt: 1, sent, total });

const queueOf = (stages: readonly Stage[], change: Partial<Queue> = {}): Queue => ({
  ...emptyQueue(true, { bytes: 1e6, words: '1 MB' }),
  items: stages.map((stage, id): Item => ({
    id,
    stage,
    key: `key-${id}`,
    failedAttempts: 0,
    file: { name: `${id}`, size: 1000, modified: 0 },
  })),
  ...change,
});
const summary = (stages: readonly Stage[], change: Partial<Queue> = {}): Summary =>
  summaryOf(queueOf(stages, change), 1000);

describe('MAX_POST_MEDIA', () => {
  it('is the maximum of the API', () => expect(MAX_POST_MEDIA).toBe(MAX_IN_CONTRACTS));
});

describe('summaryOf', () => {
  it('counts unfinished, failed, ready and unfit files', () => {
    const all = [
      waiting,
      sending(0, 0),
      failed,
      media(),
      media({ status: 'rejected' }),
      media({ error: 'bad' }),
    ];
    expect(summary(all)).toMatchObject({ files: 6, unfinished: 2, failed: 1, ready: 1, unfit: 2 });
    expect(postable(queueOf(all)).map(({ id }) => id)).toEqual([3]);
  });

  it('measures progress in bytes, up to the size of all files', () => {
    expect(summary([media(), sending(550, 1100), waiting, failed]).progress).toBe(0.5);
    expect(summary([sending(1200, 1100)]).progress).toBe(1);
    expect(summary([]).progress).toBe(0);
    expect(summary([failed]).progress).toBe(0);
  });

  it('names the most important reason for waiting', () => {
    const hold = (change: Partial<Queue>): Summary['hold'] => summary([waiting], change).hold;
    expect(hold({})).toBeNull();
    expect(hold({ limitedUntil: 1001 })).toBe('limited');
    expect(hold({ limitedUntil: 1000 })).toBeNull();
    expect(hold({ limitedUntil: 1001, paused: true })).toBe('paused');
    expect(hold({ paused: true, logInPath: '/login' })).toBe('loggedOut');
    expect(hold({ online: false, logInPath: '/login', paused: true })).toBe('offline');
  });

  it('knows whether leaving the page would lose uploads', () => {
    expect(hasWork(queueOf([]))).toBe(false);
    expect(hasWork(queueOf([media({ status: 'rejected' })]))).toBe(false);
    for (const stage of [waiting, sending(1, 2), failed, media()])
      expect(hasWork(queueOf([stage]))).toBe(true);
  });
});

describe('announcementOf', () => {
  const between = (
    before: readonly Stage[],
    after: readonly Stage[],
    change: Partial<Queue> = {},
  ): string | null => announcementOf(summary(before), summary(after, change));

  it('announces added and failed files, and the end of the uploads', () => {
    expect(between([], [waiting])).toBe('1 file added.');
    expect(between([], [waiting, waiting, failed])).toBe('3 files added. 1 file could not be uploaded.');
    expect(between([waiting, waiting], [media(), media()])).toBe('2 files uploaded and ready to post.');
    expect(between([], [media()])).toBe('1 file added. 1 file uploaded and ready to post.');
    expect(between([media()], [media({ status: 'rejected' })])).toBe('1 file can’t be posted.');
  });

  it('does not announce progress, processing and removal', () => {
    expect(between([sending(1, 10)], [sending(9, 10)])).toBeNull();
    expect(between([waiting, waiting, waiting], [media(), sending(1, 2), waiting])).toBeNull();
    expect(between([media({ processed: false })], [media()])).toBeNull();
    expect(between([media(), media()], [media()])).toBeNull();
  });

  it('announces why unfinished files wait, and when they continue', () => {
    expect(between([waiting], [waiting], { online: false })).toMatch(/^You are offline/);
    expect(announcementOf(summary([waiting], { paused: true }), summary([waiting]))).toBe(
      'The uploads continue.',
    );
    expect(between([media()], [media()], { online: false })).toBeNull();
  });
});
