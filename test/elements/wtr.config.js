// Elements are tested in a real Chromium: CHROMIUM_PATH, or where Debian and others put it.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { esbuildPlugin } from '@web/dev-server-esbuild'
import { defaultReporter } from '@web/test-runner'
import { chromeLauncher } from '@web/test-runner-chrome'

import { shiftClock } from '../support/shift-clock.ts'
import { reporter } from './support/report.ts'
import { guardSilence, watchPage } from './support/silence.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable'
]

const executablePath = process.env.CHROMIUM_PATH ?? PLACES.find(place => existsSync(place))

const TEST_TIMEOUT_MS = 50_000
/** Less than a minute; the test of the runner does not wait that long. */
const guard = guardSilence(Number(process.env.TEST_SILENCE_MS ?? 55_000))

/** Every file begins at the same instant, if there is one. */
const clock = process.env.TEST_CLOCK
const shift = clock ? `<script>(${shiftClock})(${JSON.stringify(clock)})</script>` : ''

/** BCP 47, of `LC_ALL=de_DE.UTF-8`; a headless Chromium does not read it. */
const locale = process.env.LC_ALL?.match(/^[a-z]{2}_[A-Z]{2}/)?.[0].replace('_', '-')

export default {
  browsers: [
    chromeLauncher({
      async createPage({ context }) {
        const page = await context.newPage()
        // Seen and focused, whatever other windows the machine has: frames come and focus works.
        const session = await page.createCDPSession()
        await session.send('Emulation.setFocusEmulationEnabled', { enabled: true })
        if (locale) {
          await session.send('Emulation.setLocaleOverride', { locale })
          const userAgent = await page.evaluate(() => navigator.userAgent)
          await session.send('Emulation.setUserAgentOverride', { acceptLanguage: locale, userAgent })
        }
        return watchPage(page)
      },
      launchOptions: {
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-backgrounding-occluded-windows',
          '--disable-renderer-backgrounding'
        ],
        executablePath,
        headless: true
      }
    })
  ],
  // A tab in the background gets no frames and no focus, so one at a time.
  concurrency: 1,
  files: 'test/elements/*.test.ts',
  // Lit says in every test that it is in development mode; a real warning has to be seen.
  filterBrowserLogs: ({ args }) => !args.some(arg => String(arg).includes('Lit is in dev mode')),
  middleware: [
    function pictures(context, next) {
      if (context.url.startsWith('/img/')) context.url = `/demo/public${context.url}`
      return next()
    }
  ],
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [
    guard.plugin,
    {
      name: 'setup',
      // On the first line, so that errors keep the numbers of their lines.
      transform: ({ body, path }) =>
        /\.(?:test|fixture)\.ts$/.test(path) ? `import '/test/elements/support/setup.ts'; ${body}` : undefined
    },
    {
      name: 'node-env',
      transform({ body, response }) {
        if (response.is('js') && body.includes('process.env.NODE_ENV')) {
          return body.replaceAll('process.env.NODE_ENV', '"development"')
        }
      }
    },
    esbuildPlugin({
      target: 'es2022',
      ts: true,
      tsconfig: fileURLToPath(new URL('../../components/tsconfig.json', import.meta.url))
    })
  ],
  reporters: [defaultReporter(), { ...reporter, start: guard.start }],
  // Under another clock the browser has another language too; a page that says its language has the texts that tests look for.
  testRunnerHtml: framework =>
    `<!doctype html><html${shift === '' ? '' : ' lang="en"'}><body>${shift}<script type="module" src="${framework}"></script></body></html>`,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  // The longest waits, also on a busy machine: no test is about one of them.
  browserStartTimeout: 2 * 60_000,
  testsFinishTimeout: 10 * 60_000,
  testsStartTimeout: 60_000,
  testFramework: { config: { timeout: TEST_TIMEOUT_MS, ui: 'bdd' } }
}
