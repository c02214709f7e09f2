// A state as an icon and a word, the channel strip, ids and people.

import { css } from 'lit'

export const status = css`
  .status {
    display: inline-flex;
    vertical-align: top;
    align-items: center;
    gap: 6px;
    min-block-size: 20px;
    font-weight: 500;
    white-space: nowrap;
  }
  .status svg {
    color: var(--_muted);
  }
  .status[data-tone='good'] svg {
    color: var(--_success);
  }
  .status[data-tone='bad'] {
    color: var(--_danger);
  }
  .status[data-tone='warning'] {
    color: var(--_warning);
  }
  .status:is([data-tone='bad'], [data-tone='warning']) svg {
    color: inherit;
  }
  .status[data-tone='muted'] {
    color: var(--_muted);
  }
  /* Seven places, always in the same order: what each channel did. */
  .strip {
    display: inline-flex;
    vertical-align: middle;
    gap: 2px;
  }
  .strip > span {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: 22px;
    block-size: 22px;
    border-radius: 6px;
    color: var(--_muted);
  }
  .strip svg {
    inline-size: 16px;
    block-size: 16px;
    stroke-width: 1.6;
  }
  .strip [data-state='sent'] {
    color: var(--_text);
  }
  .strip [data-state='failed'] {
    background: var(--_danger-wash);
    color: var(--_danger);
  }
  .strip [data-state='failed']::after {
    content: '';
    position: absolute;
    inset-block-end: -1px;
    inset-inline: 4px;
    block-size: 2px;
    border-radius: 1px;
    background: currentColor;
  }
  .strip [data-state='waiting'] {
    box-shadow: inset 0 0 0 1px var(--_control);
    color: var(--_text);
  }
  .strip [data-state='discarded']::after {
    content: '';
    position: absolute;
    inline-size: 19px;
    block-size: 1.5px;
    background: currentColor;
    rotate: -45deg;
    box-shadow: 0 0 0 1px var(--_surface);
  }
  .strip [data-state='discarded'] svg {
    opacity: 0.7;
  }
  .strip [data-state='none']::before {
    content: '';
    inline-size: 3px;
    block-size: 3px;
    border-radius: 50%;
    background: var(--_control);
    opacity: 0.6;
  }
  .id {
    display: inline-flex;
    vertical-align: middle;
    align-items: center;
    gap: 2px;
    font-family: var(--_mono);
    font-size: 0.93em;
    font-variant-ligatures: none;
    color: var(--_muted);
    white-space: nowrap;
    direction: ltr;
    unicode-bidi: isolate;
  }
  .person {
    display: inline-flex;
    vertical-align: middle;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  .initials {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 22px;
    block-size: 22px;
    border-radius: 50%;
    background: light-dark(oklch(0.935 0.03 var(--_hue, 262)), oklch(0.34 0.05 var(--_hue, 262)));
    color: light-dark(oklch(0.42 0.1 var(--_hue, 262)), oklch(0.88 0.07 var(--_hue, 262)));
    font-size: 10px;
    font-weight: 650;
  }
  .initials[data-tone='1'] {
    --_hue: 25;
  }
  .initials[data-tone='2'] {
    --_hue: 75;
  }
  .initials[data-tone='3'] {
    --_hue: 150;
  }
  .initials[data-tone='4'] {
    --_hue: 205;
  }
  .initials[data-tone='6'] {
    --_hue: 320;
  }
  @media (forced-colors: active) {
    .initials {
      border: 1px solid CanvasText;
    }
    .strip [data-state='failed'] {
      border: 1px solid CanvasText;
    }
    .strip [data-state='waiting'] {
      border: 1px dashed CanvasText;
    }
    .strip [data-state='discarded']::after {
      forced-color-adjust: none;
      background: CanvasText;
    }
  }
`
