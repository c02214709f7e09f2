// Each line of its template is a mistake.

import { Component } from '@angular/core'
import { NOTIF_TAGS } from 'notif-kit/angular'

@Component({ imports: [NOTIF_TAGS], selector: 'app-wrong', templateUrl: './wrong.html' })
export class Wrong {
  number(given: number): number {
    return given
  }
}
