/**
 * libvips belongs to the process, not to Jest's module registry: what one test file blocks stays blocked for the
 * next file of the same worker. Each begins with every loader open, as a fresh process would.
 */
const sharp = require('sharp');

sharp.unblock({ operation: ['VipsForeignLoad'] });
