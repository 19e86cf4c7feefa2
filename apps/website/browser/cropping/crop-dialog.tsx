import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ReactCrop, type PercentCrop } from 'react-image-crop';
import { drawEdited, type Edit, openPicture, writeEdited } from './picture-file';

/** The longer edge of the picture in the dialog, in pixels. */
const PREVIEW_EDGE = 1600;
const WHOLE: PercentCrop = { unit: '%', x: 0, y: 0, width: 100, height: 100 };

export interface EditOptions {
  readonly title: string;
  /** The longest edge of a square result in pixels; absent if the result may have any shape and size. */
  readonly squareEdge?: number;
}

/** Shows the dialog. See `editPicture` in edit-picture.ts. */
export async function showCropDialog(file: File, { title, squareEdge }: EditOptions): Promise<File | null> {
  // A second click while a large picture is decoded.
  if (document.querySelector('.crop-dialog')) return null;
  const url = URL.createObjectURL(file);
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog crop-dialog';
  dialog.setAttribute('aria-labelledby', 'crop-title');
  document.body.append(dialog);
  try {
    const image = await openPicture(file, url);
    dialog.showModal();
    const isSquare = squareEdge !== undefined;
    return await new Promise((resolve) => {
      const save = (edit: Edit): void => {
        const isUnchanged = edit.turns === 0 && edit.crop.width === 100 && edit.crop.height === 100;
        resolve(isUnchanged && !isSquare ? null : writeEdited(image, file, edit, squareEdge));
      };
      const cancel = (): void => resolve(null);
      dialog.addEventListener('close', cancel);
      render(<Editor {...{ image, title, isSquare, save, cancel }} />, dialog);
      dialog.querySelector<HTMLElement>('.ReactCrop__crop-selection')?.focus();
    });
  } finally {
    // Closing returns the focus.
    dialog.close();
    render(null, dialog);
    dialog.remove();
    URL.revokeObjectURL(url);
  }
}

interface EditorProps {
  readonly image: HTMLImageElement;
  readonly title: string;
  readonly isSquare: boolean;
  readonly save: (edit: Edit) => void;
  readonly cancel: () => void;
}

function Editor({ image, title, isSquare, save, cancel }: EditorProps) {
  const [turns, setTurns] = useState(0);
  const [crop, setCrop] = useState(() => (isSquare ? middleSquare(image) : WHOLE));
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current) drawEdited(canvas.current, image, { turns, crop: WHOLE }, PREVIEW_EDGE);
  }, [turns]);

  const rotate = (quarters: 1 | 3): void => {
    setTurns((turns + quarters) % 4);
    setCrop(quarters === 1 ? clockwise(crop) : clockwise(clockwise(clockwise(crop))));
  };
  const button = (label: string, act: () => void, kind = '') => (
    <button type="button" class={`button ${kind}`} onClick={act}>
      {label}
    </button>
  );
  return (
    <>
      <h2 id="crop-title">{title}</h2>
      <div class="crop-stage">
        <ReactCrop
          {...{ crop, minWidth: 24, minHeight: 24, keepSelection: true, ruleOfThirds: true }}
          {...(isSquare && { aspect: 1, circularCrop: true })}
          onChange={(_, percent) => setCrop(percent)}
        >
          <canvas class="transparent" ref={canvas} />
        </ReactCrop>
      </div>
      <p class="small quiet">Drag the frame or its handles, or focus them and use the arrow keys.</p>
      <div class="row">
        {button('Rotate left', () => rotate(3))}
        {button('Rotate right', () => rotate(1))}
        <span class="crop-space" />
        {button('Cancel', cancel)}
        {button('Save', () => save({ turns, crop }), 'primary')}
      </div>
    </>
  );
}

function middleSquare({ naturalWidth, naturalHeight }: HTMLImageElement): PercentCrop {
  const edge = Math.min(naturalWidth, naturalHeight);
  const [width, height] = [(100 * edge) / naturalWidth, (100 * edge) / naturalHeight];
  return { unit: '%', x: (100 - width) / 2, y: (100 - height) / 2, width, height };
}

/** The same part of the picture after a quarter of a turn. */
const clockwise = ({ x, y, width, height }: PercentCrop): PercentCrop => ({
  ...{ unit: '%', x: 100 - y - height, y: x },
  ...{ width: height, height: width },
});
