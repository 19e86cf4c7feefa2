import { editPicture } from '../cropping/edit-picture';
import { FormError } from '../dom/forms';
import { showNotice } from '../dom/notices';
import type { Descriptions } from './descriptions';
import { part } from './page-parts';
import { Previews } from './previews';
import type { Item, NewFile, Queue } from './queue';
import type { Uploads } from './uploads';
import { stateLabel } from './labels';

/** The elements of a file's row, and the item that they show. */
interface Row {
  readonly element: HTMLElement;
  readonly progress: HTMLProgressElement;
  readonly state: HTMLElement;
  readonly retry: HTMLButtonElement;
  readonly copy: HTMLButtonElement;
  readonly tile: HTMLElement;
  shown: Item | undefined;
}

/** The list of files. It updates only changed rows, at most once a frame. */
export class Rows {
  private readonly rows = new Map<number, Row>();
  /** The files as they were chosen, by the files that the visitor has made of them. */
  private readonly originals = new WeakMap<File, File>();
  private readonly previews = new Previews();
  private queue: Queue | undefined;

  constructor(
    private readonly uploads: Uploads,
    private readonly descriptions: Descriptions,
    private readonly list: HTMLElement,
    private readonly template: HTMLTemplateElement,
  ) {}

  show(queue: Queue): void {
    // An update that is already scheduled includes this change.
    if (this.queue === undefined) requestAnimationFrame(() => this.paint());
    this.queue = queue;
  }

  private paint(): void {
    const { items } = this.queue ?? { items: [] };
    this.queue = undefined;
    const kept = new Set(items.map(({ id }) => id));
    for (const id of this.rows.keys()) if (!kept.has(id)) this.drop(id);
    // A row that is being dragged stays at the pointer; the queue gets its place at the end.
    const isDragging = this.list.querySelector('[data-dragging]') !== null;
    items.forEach((item, index) => {
      const row = this.rows.get(item.id) ?? this.make(item);
      if (this.list.children[index] !== row.element && !(isDragging && row.element.isConnected)) {
        this.list.insertBefore(row.element, this.list.children[index] ?? null);
      }
      if (row.shown !== item) fill(row, item);
    });
  }

  private make({ id, key, file }: Item): Row {
    const copy = document.importNode(this.template.content, true);
    const element = part(copy, '.upload-row', HTMLElement);
    element.dataset['id'] = String(id);
    const name = part(element, '.upload-name', HTMLElement);
    name.textContent = file.name;
    part(element, '.upload-handle', HTMLElement).ariaLabel = `Reorder ${file.name}`;
    const remove = part(element, '.upload-remove', HTMLButtonElement);
    remove.ariaLabel = `Remove ${file.name}`;
    remove.addEventListener('click', () => this.remove(id));
    const retry = part(element, '.upload-retry', HTMLButtonElement);
    retry.ariaLabel = `Try again: ${file.name}`;
    retry.addEventListener('click', () => this.uploads.retry(id));
    const progress = part(element, 'progress', HTMLProgressElement);
    progress.ariaLabel = `Upload of ${file.name}`;
    const copyButton = part(element, '.upload-copy', HTMLButtonElement);
    copyButton.ariaLabel = `Copy link of ${file.name}`;
    this.connectTexts(part(element, '.upload-describe', HTMLElement), key);
    const source = this.uploads.fileOf(id);
    const tile = part(element, '.upload-tile', HTMLElement);
    if (source) {
      this.connectEditing(element, { id, key, file }, source);
      if (source.type.startsWith('video/')) tile.dataset['kind'] = 'video';
      this.previews.drawWhenSeen(tile, part(tile, 'canvas', HTMLCanvasElement), source);
    }
    const row: Row = {
      element,
      progress,
      state: part(element, '.upload-state', HTMLElement),
      retry,
      copy: copyButton,
      tile,
      shown: undefined,
    };
    this.rows.set(id, row);
    return row;
  }

  /** Offers to edit a still picture, and to return to it as it was chosen. */
  private connectEditing(element: HTMLElement, item: NewFile, source: File): void {
    const edit = part(element, '.upload-edit', HTMLButtonElement);
    edit.hidden = !/^image\/(?!gif|svg)/.test(source.type);
    edit.ariaLabel = `Edit ${item.file.name}`;
    edit.addEventListener('click', () => void this.edit(item, source));
    const original = this.originals.get(source);
    const undo = part(element, '.upload-original', HTMLButtonElement);
    undo.hidden = original === undefined;
    undo.ariaLabel = `Undo edits: ${item.file.name}`;
    if (original) undo.addEventListener('click', () => this.replace(item, original));
  }

  private async edit(item: NewFile, source: File): Promise<void> {
    try {
      const edited = await editPicture(source, { title: 'Edit picture' });
      if (!edited) return;
      this.originals.set(edited, this.originals.get(source) ?? source);
      this.replace(item, edited);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      showNotice(error.message, 'error');
    }
  }

  /** Puts the focus into the new row, because the focused button disappears. */
  private replace({ id, key }: NewFile, file: File): void {
    const by = this.uploads.replace(id, file);
    this.descriptions.set(by.key, this.descriptions.of(key));
    requestAnimationFrame(() => {
      const row = this.rows.get(by.id);
      if (row) part(row.element, '.upload-edit', HTMLButtonElement).focus();
    });
  }

  /** Lets the visitor describe the file; the texts are saved when a field loses the focus. */
  private connectTexts(place: HTMLElement, key: string): void {
    const [description, altText] = [
      part(place, '[name=description]', HTMLTextAreaElement),
      part(place, '[name=alt_text]', HTMLTextAreaElement),
    ];
    const texts = this.descriptions.of(key);
    [description.value, altText.value] = [texts.description, texts.alt_text];
    place.addEventListener('change', () => void this.descriptions.save());
    place.addEventListener('input', () =>
      this.descriptions.set(key, { description: description.value, alt_text: altText.value }),
    );
  }

  private drop(id: number): void {
    this.rows.get(id)?.element.remove();
    this.rows.delete(id);
  }

  /** Moves the focus to the next file, because the focused button disappears. */
  private remove(id: number): void {
    const { items } = this.uploads.now;
    const at = items.findIndex((item) => item.id === id);
    const neighbour = items[at + 1] ?? items[at - 1];
    this.uploads.dispatch({ type: 'removed', id });
    const next = neighbour && this.rows.get(neighbour.id);
    if (next) part(next.element, '.upload-remove', HTMLButtonElement).focus();
    else document.getElementById('upload-input')?.focus();
  }
}

function fill(row: Row, item: Item): void {
  const { stage } = item;
  row.shown = item;
  row.element.dataset['stage'] = stage.name;
  row.state.textContent = stateLabel(item);
  row.retry.hidden = stage.name !== 'failed' || stage.failure.reason === 'permanent';
  row.progress.value = stage.name === 'sending' && stage.total > 0 ? stage.sent / stage.total : 0;
  if (stage.name !== 'uploaded') return;
  const { media } = stage;
  row.copy.dataset['copyText'] = media.link;
  const isUnfit = media.error !== null || media.status === 'rejected';
  row.element.dataset['fate'] = isUnfit ? 'unfit' : media.processed ? 'ready' : 'coming';
  if (media.processed && !isUnfit) showThumb(row.tile, media.thumb);
}

/** Shows the service's thumbnail, which covers the tile once it has loaded. */
function showThumb(tile: HTMLElement, address: string): void {
  if (tile.querySelector('img')) return;
  const image = new Image(72, 72);
  image.alt = '';
  image.hidden = true;
  image.addEventListener('load', () => (image.hidden = false), { once: true });
  image.addEventListener('error', () => image.remove(), { once: true });
  image.src = address;
  tile.append(image);
}
