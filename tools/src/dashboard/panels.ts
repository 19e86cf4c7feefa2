/** How a figure is shown: Grafana's unit. */
export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'percentunit' | 'reqps' | 'ops' | 'none';

export interface Query {
  /** PromQL; `$job` stands for the chosen services, `$__rate_interval` for a window that holds enough scrapes. */
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** What a reader should know of it: what is normal, and what to look at next. */
  readonly about: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** One number instead of a graph, red from this value on. */
  readonly redFrom?: number;
  readonly stacked?: boolean;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}
