import sharp from 'sharp';

/**
 * The work that no processor can avoid: decodes a picture at the size of one variant, and encodes that, in a process
 * that is ready. Answers each request with the time in milliseconds.
 */
interface Wanted {
  readonly source: string;
  readonly width: number;
  readonly height: number;
}

sharp.cache(false);
sharp.concurrency(1);

process.on('message', ({ source, width, height }: Wanted) => {
  const began = performance.now();
  void sharp(source, { autoOrient: true, failOn: 'error', sequentialRead: true })
    .resize(width, height, { fit: 'fill', fastShrinkOnLoad: false })
    .jpeg({ quality: 82, optimiseCoding: false })
    .toBuffer()
    .then(() => process.send?.({ type: 'done', took: performance.now() - began }));
});
process.on('disconnect', () => process.removeAllListeners('message'));
process.send?.({ type: 'ready' });
