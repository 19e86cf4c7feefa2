import { describeWithNginx } from '@vitrine/testing';
import { startUploadHostBehindNginx } from './support/sending-hosts';
import { servesFiles } from './support/served-files';

describeWithNginx('GET {cdn_url}/f/… through nginx', () => servesFiles(() => startUploadHostBehindNginx()));
