/** Calls `take` with files that are pasted, or dropped anywhere on the page. */
export function enableFileDrops(take: (files: readonly File[]) => void): void {
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // Copied rich text also contains a picture of the text.
    if (files.length === 0 || (isTextField(event.target) && hasText(event.clipboardData))) return;
    event.preventDefault();
    take(files.map(withUniqueName));
  });

  // Browsers offer a picture of this page that is dragged as a file too.
  let isOwn = false;
  document.addEventListener('dragstart', () => (isOwn = true));
  document.addEventListener('dragend', () => (isOwn = false));
  let depth = 0;
  const show = (change: number): void => {
    depth = Math.max(0, depth + change);
    document.body.classList.toggle('is-dropping', depth > 0);
  };
  const whenFiles =
    (act: (data: DataTransfer) => void) =>
    (event: DragEvent): void => {
      if (isOwn || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      act(event.dataTransfer);
    };
  document.addEventListener(
    'dragenter',
    whenFiles(() => show(1)),
  );
  document.addEventListener(
    'dragleave',
    whenFiles(() => show(-1)),
  );
  document.addEventListener(
    'dragover',
    whenFiles((data) => {
      data.dropEffect = 'copy';
    }),
  );
  document.addEventListener(
    'drop',
    whenFiles((data) => {
      show(-depth);
      void filesOf(data).then((files) => {
        if (files.length > 0) take(files);
      });
    }),
  );
}

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'file');

const hasText = (data: DataTransfer | null): boolean => data?.types.includes('text/plain') ?? false;

/** Browsers name every pasted picture `image.png`; this gives it a unique name. */
function withUniqueName(file: File): File {
  const [, extension = ''] = /^image(\.\w+)$/.exec(file.name) ?? [];
  if (extension === '') return file;
  const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '.');
  return new File([file], `Pasted at ${time}${extension}`, { type: file.type, lastModified: Date.now() });
}

/** The dropped files, including those in dropped folders. */
async function filesOf({ items, files }: DataTransfer): Promise<readonly File[]> {
  // The entries must be read synchronously: after the event there are none.
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...files];
  const found: File[] = [];
  for (const entry of entries) if (entry) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (isFile(entry)) {
    // Files that operating systems add to folders.
    if (/^(\.|Thumbs\.db$|desktop\.ini$)/i.test(entry.name)) return;
    const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)));
    if (file) found.push(file);
  } else if (isFolder(entry)) {
    for (const inner of await entriesOf(entry)) await collect(inner, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A folder returns its entries in batches; an empty batch is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}
