// Charts in ink; only their refused part is red.

import { css } from 'lit'

export const charts = css`
  .chart {
    display: block;
    inline-size: 100%;
    block-size: 72px;
    overflow: visible;
  }
  .area {
    fill: color-mix(in oklab, var(--_text) 7%, transparent);
    stroke: none;
  }
  .line {
    stroke: color-mix(in oklab, var(--_text) 72%, transparent);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .refused {
    fill: var(--_danger);
    stroke: none;
  }
  .base {
    stroke: var(--_line);
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  .axis {
    display: flex;
    justify-content: space-between;
    font-size: 11px;
    line-height: 16px;
    color: var(--_muted);
    margin-block-start: 2px;
  }
  .spark {
    display: block;
    inline-size: 132px;
    block-size: 28px;
    overflow: visible;
  }
  .flat {
    stroke: var(--_control);
    stroke-width: 1.5;
    stroke-dasharray: 2 4;
    vector-effect: non-scaling-stroke;
  }
`
