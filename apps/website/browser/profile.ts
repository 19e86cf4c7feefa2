import { enableFollowing } from './dom/follows';

enableFollowing();
