// The globals of the test framework in the browser.

declare function describe(name: string, suite: () => void): void
declare function it(name: string, test: () => void | Promise<void>): void
declare function beforeEach(hook: (this: { currentTest: { title: string } }) => void | Promise<void>): void
declare function afterEach(hook: () => void | Promise<void>): void
