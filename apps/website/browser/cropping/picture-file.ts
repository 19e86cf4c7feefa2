import { FormError } from '../dom/forms';

/** Larger pictures would fill the memory of phones: each pixel takes 4 bytes, in the picture and in its copy. */
const MAX_PIXELS = 50_000_000;
/** The quality of JPEG and WebP, from 0 to 1. */
const QUALITY = 0.92;

/** A rotation, and then a cut. */
export interface Edit {
  /** Quarters of a turn, clockwise. */
  readonly turns: number;
  /** In per cent of the rotated picture. */
  readonly crop: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const tooLarge = (): FormError =>
  new FormError('This picture has too many pixels to be edited in this browser.', 0);

/** Decodes the file, to which the object URL leads. Throws `FormError` if the browser can't, or must not. */
export async function openPicture(file: File, url: string): Promise<HTMLImageElement> {
  // PNG, WebP and AVIF name an animation at their beginning.
  if (file.type !== 'image/jpeg' && /acTL|ANIM|avis/.test(await file.slice(0, 65_536).text()))
    throw new FormError('Animated pictures can’t be edited here.', 0);
  const image = new Image();
  image.src = url;
  const loaded = new Promise((resolve, reject) => {
    image.addEventListener('load', resolve);
    image.addEventListener('error', reject);
  });
  const hasRoom = (): boolean => image.naturalWidth * image.naturalHeight <= MAX_PIXELS;
  try {
    // Browsers know the size before they decode the pixels.
    await loaded;
    if (hasRoom()) await image.decode();
  } catch {
    throw new FormError('This browser can’t open this picture. Try a JPEG, PNG or WebP file.', 0);
  }
  if (!hasRoom()) throw tooLarge();
  return image;
}

/** Draws the edited picture, upright as its EXIF data say. Throws `FormError` if the canvas would be too large. */
export function drawEdited(
  canvas: HTMLCanvasElement,
  image: HTMLImageElement,
  { turns, crop }: Edit,
  maxEdge = Infinity,
): void {
  const { naturalWidth, naturalHeight } = image;
  const [width, height] = turns % 2 === 0 ? [naturalWidth, naturalHeight] : [naturalHeight, naturalWidth];
  const share = (edge: number, percent: number): number => Math.round((edge * percent) / 100);
  const [cutWidth, cutHeight] = [share(width, crop.width) || 1, share(height, crop.height) || 1];
  const scale = Math.min(1, maxEdge / Math.max(cutWidth, cutHeight));
  canvas.width = Math.round(cutWidth * scale) || 1;
  canvas.height = Math.round(cutHeight * scale) || 1;
  const context = canvas.getContext('2d');
  // Safari ignores what is drawn on a canvas above its limit.
  context?.fillRect(0, 0, 1, 1);
  if (!context || context.getImageData(0, 0, 1, 1).data[3] === 0) throw tooLarge();
  context.clearRect(0, 0, 1, 1);
  context.imageSmoothingQuality = 'high';
  context.scale(canvas.width / cutWidth, canvas.height / cutHeight);
  context.translate(width / 2 - share(width, crop.x), height / 2 - share(height, crop.y));
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(image, -naturalWidth / 2, -naturalHeight / 2);
}

/** Writes the edited picture, without metadata: of the same type if browsers write it, else as JPEG or WebP. */
export async function writeEdited(
  image: HTMLImageElement,
  { name, type }: File,
  edit: Edit,
  maxEdge?: number,
): Promise<File> {
  const canvas = document.createElement('canvas');
  drawEdited(canvas, image, edit, maxEdge);
  // Other types than photos may be transparent.
  const target = /jpeg|hei[cf]/.test(type) ? 'image/jpeg' : type === 'image/png' ? type : 'image/webp';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, target, QUALITY));
  if (!blob) throw tooLarge();
  // Browsers that can't write WebP write PNG.
  const ending = `.${blob.type.replace('image/', '').replace('jpeg', 'jpg')}`;
  const newName = blob.type === type ? name : name.replace(/(\.\w+)?$/, ending);
  return new File([blob], newName, { type: blob.type });
}
