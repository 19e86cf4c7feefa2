import 'reflect-metadata';
import { runService } from '@vitrine/runtime';
import { buildSite, listenForVisitors } from './site';

void runService('website', { build: buildSite, start: listenForVisitors });
