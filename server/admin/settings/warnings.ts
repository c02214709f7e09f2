// What an operator should know about the settings. Pure.

import { isDemo, settingName, type Config } from '../../config/config.ts'

export interface SettingWarning {
  readonly name: string
  readonly detail: string
}

const RULES: readonly {
  readonly key: keyof Config
  readonly detail: string
  isBroken(config: Config): boolean
}[] = [
  {
    detail:
      'Users reach this server at an unknown address, so links in emails and callbacks of providers do not work.',
    isBroken: config => config.publicUrl === undefined && !isDemo(config),
    key: 'publicUrl'
  },
  {
    detail: 'The public address is not https, so credentials can be read on the network.',
    isBroken: ({ publicUrl }) =>
      publicUrl?.startsWith('http:') === true && !/^http:\/\/(?:localhost|127\.)/.test(publicUrl),
    key: 'publicUrl'
  },
  {
    detail:
      'A demo shows sample content, and its sandbox is open to everybody. Do not use it for real users.',
    isBroken: config => isDemo(config) && config.publicUrl !== undefined,
    key: 'demo'
  },
  {
    detail: 'A previous key is still set. Remove it when every node has started with the new one.',
    isBroken: ({ keyPrevious }) => keyPrevious !== undefined,
    key: 'keyPrevious'
  },
  {
    detail:
      'The embedded database runs on this machine only and has no copy. Set DATABASE_URL for real users.',
    isBroken: config => config.databaseUrl === undefined && !isDemo(config),
    key: 'databaseUrl'
  },
  {
    detail:
      'Emails are not signed by this server. Receivers may refuse them unless the mail server signs them.',
    isBroken: ({ dkimKey, smtpUrl }) => smtpUrl !== undefined && dkimKey === undefined,
    key: 'dkimKey'
  }
]

export const findWarnings = (config: Config): SettingWarning[] =>
  RULES.filter(rule => rule.isBroken(config)).map(({ detail, key }) => ({ detail, name: settingName(key) }))
