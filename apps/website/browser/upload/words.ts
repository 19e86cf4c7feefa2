import type { Item, UploadedMedia } from './queue';

/** Bytes in words; 1 MB is 1,048,576 bytes, as in the size limit of files. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** How a file is doing, in words. */
export function stateInWords({ stage, file, tries }: Item): string {
  switch (stage.name) {
    case 'waiting':
      return tries > 0 ? 'Trying again in a moment' : `Waiting · ${sizeInWords(file.size)}`;
    case 'sending':
      return stage.total > 0 && stage.sent >= stage.total
        ? 'Being checked'
        : `${percent(stage.sent, stage.total)} of ${sizeInWords(file.size)}`;
    case 'failed':
      return stage.failure.message;
    case 'uploaded':
      return fateInWords(stage.media);
  }
}

const percent = (sent: number, total: number): string =>
  `${total === 0 ? 0 : Math.floor((100 * Math.min(sent, total)) / total)}%`;

/** What became of an uploaded file. */
function fateInWords({ processed, status, error }: UploadedMedia): string {
  if (error !== null)
    return 'It arrived, but can’t be shown: the file is damaged, or of a kind that we can’t read.';
  if (!processed) return 'Uploaded · being prepared';
  return FATES[status];
}

const FATES: Readonly<Record<UploadedMedia['status'], string>> = {
  approved: 'Ready',
  pending: 'Ready · still being checked',
  nsfw: 'Ready · shown as for adults only',
  rejected: 'Rejected by moderation: it can’t be posted.',
};

/** A moment, as a clock shows it; with its day where that is another. */
export function clockTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === today.toDateString()) return `at ${time}`;
  return `on ${then.toLocaleDateString([], { weekday: 'long' })} at ${time}`;
}
