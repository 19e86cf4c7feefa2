import type { Page } from 'playwright-core';

/** Drops or pastes a JPEG on the page under one or several names, as the visitor does. */
export const giveFile = (
  page: Page,
  type: 'drop' | 'paste',
  names: string | readonly string[],
  bytes: Buffer,
): Promise<void> =>
  page.evaluate(
    ([kind, called, content]) => {
      const data = new DataTransfer();
      for (const name of called)
        data.items.add(new File([Uint8Array.from(content)], name, { type: 'image/jpeg', lastModified: 1 }));
      const options = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    [type, [names].flat(), [...bytes]] as const,
  );
