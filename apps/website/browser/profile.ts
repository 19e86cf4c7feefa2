import { enableFollowing } from './dom/votes';

enableFollowing();
