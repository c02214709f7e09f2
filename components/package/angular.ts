// Types for Angular's strict templates: a directive for each element that declares its inputs and does nothing.
//
// Angular reads inputs from the declaration only. The directive that runs has none, so each value is set on the property of the
// element. Because there is no component, an unknown property is an error.

import type { Element } from './elements.ts'

const className = (element: Element): string => `${element.name}Tag`

/** Without properties that begin with `on`: Angular does not allow to bind them. */
const inputsOf = ({ members = [] }: Element): readonly string[] =>
  members.filter(({ kind, name }) => kind === 'field' && !/^on[A-Z]/.test(name)).map(({ name }) => name)

export function angularTypes(elements: readonly Element[]): string {
  const declared = elements.map(element => {
    const inputs = inputsOf(element)
    const name = className(element)
    return [
      `export declare class ${name} {\n`,
      ...inputs.map(input => `  ${input}?: ElementProps['${element.tagName}']['${input}']\n`),
      `  static ɵfac: i0.ɵɵFactoryDeclaration<${name}, never>\n`,
      `  static ɵdir: i0.ɵɵDirectiveDeclaration<${name}, '${element.tagName}', never, {\n`,
      ...inputs.map(input => `    ${input}: { alias: '${input}'; required: false }\n`),
      '  }, {}, never, never, true, never>\n}\n'
    ].join('')
  })
  return [
    "import * as i0 from '@angular/core'\n",
    "import type { ElementProps } from './elements.js'\n\n",
    ...declared,
    '/** All of them, for `imports` of a component. */\n',
    `export declare const NOTIF_TAGS: readonly [${elements.map(one => `typeof ${className(one)}`).join(', ')}]\n`
  ].join('')
}

/** In the partial form of published libraries, which the compiler of the app links. */
export function angularCode(elements: readonly Element[]): string {
  const directives = elements.map(element => {
    const name = className(element)
    return `export class ${name} {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '12.0.0', version: '19.0.0', ngImport: i0, type: ${name}, deps: [], target: i0.ɵɵFactoryTarget.Directive
  })
  static ɵdir = i0.ɵɵngDeclareDirective({
    minVersion: '14.0.0', version: '19.0.0', ngImport: i0, type: ${name}, isStandalone: true, selector: '${element.tagName}'
  })
}
`
  })
  return [
    "import * as i0 from '@angular/core'\n\n",
    ...directives,
    `export const NOTIF_TAGS = [${elements.map(className).join(', ')}]\n`
  ].join('')
}
