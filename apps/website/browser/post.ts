import { enableReporting } from './dom/reports';
import { enableVoting } from './dom/votes';

enableVoting();
enableReporting();
