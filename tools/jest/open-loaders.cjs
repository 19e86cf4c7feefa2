/**
 * libvips belongs to the process, not to Jest's module registry: a loader that one test file blocks stays blocked for
 * the next file of the same worker. This opens all loaders before each file, as in a new process.
 */
const sharp = require('sharp');

sharp.unblock({ operation: ['VipsForeignLoad'] });
