// Styles of the screen.

import { css } from 'lit'

export const styles = css``
