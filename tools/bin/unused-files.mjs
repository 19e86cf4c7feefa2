// Removes files of installed packages that nothing on this machine reads: about 400 MB.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { platform, arch } = process;

/** Paths in `node_modules`, with slashes. A file that a program names (`libs/formats/src/image/svg/fonts.ts`) is none of them. */
const UNUSED = [
  // Only debuggers read these.
  /\.map$/,
  // ONNX Runtime brings its programs for every system.
  new RegExp(`/onnxruntime-node/bin/[^/]+/(?!${platform}/${arch}/)`),
  // Text in SVG is regular or bold.
  /\/@embedpdf\/fonts-[^/]+\/fonts\/(?!.*-(?:Regular|Bold)\.otf$)/,
  // moderation-service reads one of the models.
  /\/nsfwjs\/dist\/models\/(?:inception_v3|mobilenet_v2)\//,
];

/** Removes unused files from the packages that are installed in the workspace at `root`. */
export function removeUnusedFiles(root) {
  const rooms = ['apps', 'libs', 'tools'].flatMap((group) =>
    readdirSync(join(root, group)).map((room) => join(root, group, room)),
  );
  for (const folder of [root, ...rooms].map((room) => join(room, 'node_modules'))) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const name = path.slice(folder.length).replaceAll('\\', '/');
      if (entry.isFile() && UNUSED.some((pattern) => pattern.test(name))) rmSync(path);
    }
  }
}
