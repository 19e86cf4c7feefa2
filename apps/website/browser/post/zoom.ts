interface Picture {
  readonly link: HTMLAnchorElement;
  /** Address of a size that fits most screens. */
  readonly shown: string;
  readonly alt: string;
}

/**
 * Opens the page's pictures in a dialog: arrow keys move between them, Enter or a click shows the actual size, Escape
 * closes.
 */
export function enableZoom(): void {
  document.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[data-zoom]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const pictures = picturesOf(document);
    const at = pictures.findIndex((picture) => picture.link === link);
    new Viewer(pictures).open(at);
  });
}

/** Covered adult content is not included. */
const picturesOf = (page: Document): Picture[] =>
  [...page.querySelectorAll<HTMLAnchorElement>('a[data-zoom]')]
    .filter((link) => link.closest('[data-veil]:not([open])') === null)
    .map((link) => ({
      link,
      shown: link.dataset['zoom'] ?? link.href,
      alt: link.querySelector<HTMLImageElement>('.picture-image')?.alt ?? '',
    }));

/** The dialog that shows pictures one at a time. */
class Viewer {
  private readonly dialog = document.createElement('dialog');
  private readonly pane = document.createElement('div');
  private readonly image = document.createElement('img');
  private readonly place = document.createElement('p');
  private readonly size: HTMLButtonElement;
  private at = 0;

  constructor(private readonly pictures: readonly Picture[]) {
    this.dialog.className = 'viewer';
    this.pane.className = 'viewer-pane';
    this.pane.tabIndex = 0;
    this.pane.append(this.image);
    this.place.className = 'viewer-place';
    this.place.ariaLive = 'polite';
    this.size = button('', () => this.toggleSize());
    const bar = document.createElement('div');
    bar.className = 'viewer-bar';
    const many = pictures.length > 1;
    bar.append(
      this.place,
      ...(many
        ? [button('Previous', () => this.show(this.at - 1)), button('Next', () => this.show(this.at + 1))]
        : []),
      this.size,
      button('Close', () => this.dialog.close()),
    );
    this.dialog.append(bar, this.pane);
    this.dialog.addEventListener('keydown', (event) => this.press(event));
    this.dialog.addEventListener('close', () => this.leave());
    this.image.addEventListener('click', (event) => this.toggleSize(event));
    this.pane.addEventListener('click', (event) => {
      if (event.target === this.pane) this.dialog.close();
    });
    enableDragging(this.pane);
  }

  open(at: number): void {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.show(at);
    this.pane.focus();
  }

  private show(at: number): void {
    const count = this.pictures.length;
    this.at = (at + count) % count;
    const picture = this.pictures[this.at];
    if (!picture) return;
    this.image.src = picture.shown;
    this.image.alt = picture.alt;
    const name = picture.alt === '' ? 'Picture' : picture.alt;
    this.place.textContent = count > 1 ? `${this.at + 1} of ${count}` : '';
    this.dialog.ariaLabel = count > 1 ? `${name}, ${this.at + 1} of ${count}` : name;
    this.setSize(false);
  }

  /** Switches between fitting the window and the original's actual size, around the point that was clicked. */
  private toggleSize(click?: MouseEvent): void {
    const box = this.image.getBoundingClientRect();
    const x = click === undefined ? 0.5 : (click.clientX - box.left) / box.width;
    const y = click === undefined ? 0.5 : (click.clientY - box.top) / box.height;
    this.setSize(!this.isWhole);
    if (!this.isWhole) return;
    const original = this.pictures[this.at]?.link.href;
    const centre = (): void => {
      this.pane.scrollTo({
        left: x * this.pane.scrollWidth - this.pane.clientWidth / 2,
        top: y * this.pane.scrollHeight - this.pane.clientHeight / 2,
        behavior: 'instant',
      });
    };
    centre();
    if (original === undefined || this.image.src === original) return;
    const whole = new Image();
    whole.src = original;
    // Originals that browsers can't show stay at the smaller size.
    whole.decode().then(
      () => {
        if (!this.isWhole || this.pictures[this.at]?.link.href !== original) return;
        this.image.src = original;
        centre();
      },
      () => undefined,
    );
  }

  private get isWhole(): boolean {
    return this.pane.classList.contains('whole');
  }

  private setSize(whole: boolean): void {
    this.pane.classList.toggle('whole', whole);
    this.size.textContent = whole ? 'Fit the window' : 'Actual size';
  }

  private press(event: KeyboardEvent): void {
    // Key combinations of the browser, such as page zoom and back.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLButtonElement && event.key === 'Enter') return;
    const actions: Readonly<Record<string, () => void>> = {
      ...(this.isWhole
        ? {}
        : { ArrowLeft: () => this.show(this.at - 1), ArrowRight: () => this.show(this.at + 1) }),
      Enter: () => this.toggleSize(),
      '+': () => this.setSize(true),
      '-': () => this.setSize(false),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private leave(): void {
    this.dialog.remove();
    const { link } = this.pictures[this.at] ?? {};
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  }
}

function button(text: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'viewer-button';
  element.textContent = text;
  element.addEventListener('click', act);
  return element;
}

/** Scrolls a pane by dragging with the mouse; touch and keys already scroll it. */
function enableDragging(pane: HTMLElement): void {
  let dragged = false;
  pane.addEventListener('pointerdown', (event) => {
    dragged = false;
    if (event.pointerType !== 'mouse' || !pane.classList.contains('whole')) return;
    event.preventDefault();
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener(
      'pointermove',
      ({ movementX, movementY }) => {
        dragged ||= Math.abs(movementX) + Math.abs(movementY) > 2;
        pane.scrollBy({ left: -movementX, top: -movementY, behavior: 'instant' });
      },
      { signal },
    );
    addEventListener('pointerup', () => stop.abort(), { signal });
    addEventListener('pointercancel', () => stop.abort(), { signal });
  });
  pane.addEventListener(
    'click',
    (event) => {
      if (dragged) event.stopPropagation();
      dragged = false;
    },
    true,
  );
}
