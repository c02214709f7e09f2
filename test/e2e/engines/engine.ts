// What a path needs from a browser. Everything else is written once, in page.ts.

export interface Size {
  readonly height: number
  readonly width: number
}

export interface Tab {
  goto(address: string): Promise<void>
  back(): Promise<void>
  /** @param expression - JavaScript whose value, awaited, is sent as JSON */
  evaluate<T>(expression: string): Promise<T>
  /** Moves the mouse, in CSS pixels of the viewport. */
  moveTo(x: number, y: number): Promise<void>
  /** Presses and releases the first button where the mouse is. */
  click(): Promise<void>
  /** @param key - a key of `KEYS`, a character, or Shift and either: `Shift+Tab` */
  press(key: string): Promise<void>
  resize(size: Size): Promise<void>
  bringToFront(): Promise<void>
  screenshot(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Tabs that share storage with each other only. */
export interface Session {
  openTab(): Promise<Tab>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Browser {
  openSession(size: Size): Promise<Session>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Engine {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit'
  /** What to install, if the engine is not on this machine. */
  readonly missing: string | undefined
  launch(): Promise<Browser>
}

/** Named keys, by their names in the DOM, with their code points in WebDriver (W3C WebDriver, 17.4.2). */
export const KEYS: Readonly<Record<string, string>> = {
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  ArrowUp: '\uE013',
  End: '\uE010',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  PageDown: '\uE00F',
  PageUp: '\uE00E',
  Shift: '\uE008',
  Tab: '\uE004'
}
