import type { Item, UploadedMedia } from './queue';

/** Formats a size; 1 MB is 1,048,576 bytes, as in the size limit of files. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** The state of a file in words. */
export function stateLabel({ stage, file, failedAttempts }: Item): string {
  switch (stage.name) {
    case 'waiting':
      return failedAttempts > 0 ? 'Trying again in a moment' : `Waiting · ${sizeInWords(file.size)}`;
    case 'sending':
      return stage.total > 0 && stage.sent >= stage.total
        ? 'Being checked'
        : `${percent(stage.sent, stage.total)} of ${sizeInWords(file.size)}`;
    case 'failed':
      return stage.failure.message;
    case 'uploaded':
      return uploadedLabel(stage.media);
  }
}

const percent = (sent: number, total: number): string =>
  `${total === 0 ? 0 : Math.floor((100 * Math.min(sent, total)) / total)}%`;

/** The state of an uploaded file in words. */
function uploadedLabel({ processed, status, error }: UploadedMedia): string {
  if (error !== null)
    return 'Uploaded, but can’t be shown: the file is damaged or its format is not supported.';
  if (!processed) return 'Uploaded · being processed';
  return STATUS_LABELS[status];
}

const STATUS_LABELS: Readonly<Record<UploadedMedia['status'], string>> = {
  approved: 'Ready',
  pending: 'Ready · still being checked',
  nsfw: 'Ready · marked as adult content',
  rejected: 'Rejected by moderation: it can’t be posted.',
};

/** Formats a time of day; with the weekday if it isn't today. */
export function clockTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === today.toDateString()) return `at ${time}`;
  return `on ${then.toLocaleDateString([], { weekday: 'long' })} at ${time}`;
}
