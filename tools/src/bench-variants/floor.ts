import sharp from 'sharp';

/**
 * What no processor can do without: decoding a picture and resizing it to the largest variant, to raw pixels, with
 * the worker's own settings. Answers each path it is sent with the milliseconds it took.
 */
const LARGEST_EDGE = 1920;

sharp.cache(false);
sharp.concurrency(1);

process.on('message', ({ source }: { source: string }) => {
  const began = performance.now();
  const resized = sharp(source, { autoOrient: true, failOn: 'error', sequentialRead: true }).resize(
    LARGEST_EDGE,
    LARGEST_EDGE,
    { fit: 'inside' },
  );
  void resized
    .raw()
    .toBuffer()
    .then(() => process.send?.({ type: 'done', took: performance.now() - began }));
});
process.on('disconnect', () => process.removeAllListeners('message'));
process.send?.({ type: 'ready' });
