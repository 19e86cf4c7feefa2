export interface Reordering {
  /** The list whose children are reordered. */
  readonly list: HTMLElement;
  /** Selector of the handle in each child: the button that is dragged, or on which the arrow keys work. */
  readonly handle: string;
  /** Called after a child was moved to its new place. */
  readonly moved: (child: HTMLElement, to: number) => void;
  /** Announces the new position to screen readers. */
  readonly announce: (sentence: string) => void;
}

/** Distance from the window's edge at which dragging scrolls, and the step, in pixels. */
const EDGE = 64;
const SCROLL = 12;

/**
 * Makes the children of a list reorderable: by dragging the handle with a pointer (Escape cancels), and by arrow keys,
 * Home and End on the handle. It works for rows and grids. Dragging near the edge scrolls the window, or the
 * surrounding element with `data-scrolls`.
 */
export function enableReordering({ list, handle, moved, announce }: Reordering): void {
  const children = (): HTMLElement[] => [...list.children].filter((child) => child instanceof HTMLElement);
  const childOf = (target: EventTarget | null): HTMLElement | undefined => {
    const grip = target instanceof Element ? target.closest(handle) : null;
    return grip ? children().find((child) => child.contains(grip)) : undefined;
  };
  const put = (child: HTMLElement, to: number): void => {
    const others = children().filter((other) => other !== child);
    list.insertBefore(child, others[to] ?? null);
  };
  const settle = (child: HTMLElement): void => {
    const to = children().indexOf(child);
    moved(child, to);
    announce(`Position ${to + 1} of ${list.childElementCount}.`);
  };

  list.addEventListener('keydown', (event) => {
    const child = childOf(event.target);
    const all = children();
    if (!child || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = all.indexOf(child);
    const to = { ArrowUp: from - 1, ArrowLeft: from - 1, ArrowDown: from + 1, ArrowRight: from + 1 }[
      event.key
    ];
    const goal = { Home: 0, End: all.length - 1 }[event.key] ?? to;
    if (goal === undefined) return;
    event.preventDefault();
    if (goal < 0 || goal >= all.length || goal === from) return;
    put(child, goal);
    // An element that is moved in the document loses the focus.
    if (event.target instanceof HTMLElement) event.target.focus();
    child.scrollIntoView({ block: 'nearest' });
    settle(child);
  });

  list.addEventListener('pointerdown', (event) => {
    const child = childOf(event.target);
    if (!child || event.button !== 0) return;
    event.preventDefault();
    drag(child, event);
  });

  const drag = (child: HTMLElement, { pointerId }: PointerEvent): void => {
    const from = children().indexOf(child);
    const over = new AbortController();
    const on = <Type extends 'pointermove' | 'pointerup' | 'pointercancel' | 'keydown'>(
      type: Type,
      act: (event: DocumentEventMap[Type]) => void,
    ): void => document.addEventListener(type, act, { signal: over.signal });
    const end = (): void => {
      over.abort();
      delete child.dataset['dragging'];
      if (children().indexOf(child) !== from) settle(child);
    };
    child.dataset['dragging'] = '';
    on('pointermove', (event) => {
      if (event.pointerId !== pointerId) return;
      const scroller = list.closest('[data-scrolls]') ?? window;
      if (event.clientY < EDGE) scroller.scrollBy(0, -SCROLL);
      else if (event.clientY > innerHeight - EDGE) scroller.scrollBy(0, SCROLL);
      const all = children();
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const target = all.find((other) => other !== child && other.contains(under));
      if (target) put(child, all.indexOf(target));
    });
    on('pointerup', (event) => event.pointerId === pointerId && end());
    on('pointercancel', (event) => event.pointerId === pointerId && end());
    on('keydown', (event) => {
      if (event.key !== 'Escape') return;
      put(child, from);
      end();
    });
  };
}
