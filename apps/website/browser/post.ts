import { enableFollowing } from './dom/follows';
import { enableReporting } from './dom/reports';
import { enableVoting } from './dom/votes';
import { enableMotion } from './post/motion';
import { enableSharing } from './post/sharing';
import { enableVeils } from './post/veils';
import { enableProcessingUpdates } from './post/processing-updates';
import { enableZoom } from './post/zoom';

enableVoting();
enableReporting();
enableFollowing();
enableZoom();
enableVeils();
enableSharing();
enableMotion();
enableProcessingUpdates();
