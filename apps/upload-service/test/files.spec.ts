import { servesFiles } from './support/served-files';
import { startUploadHost } from './support/upload-host';

describe('GET {cdn_url}/f/…', () => servesFiles(startUploadHost));
