import { wholeSlice } from './whole-slice';

describe('the whole slice, on the PostgreSQL bus', () => wholeSlice(async () => undefined));
