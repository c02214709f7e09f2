// Answers the buttons of notifications, as a page does that asks its own back end.

interface ItemActionDetail {
  readonly action: { readonly id: string }
  respondWith(answer: Promise<string>): void
}

const ANSWERED_AFTER_MS = 700

export function answerActions(): void {
  document.addEventListener('notif-item-action', event => {
    const { action, respondWith } = (event as CustomEvent<ItemActionDetail>).detail
    const words = `You ${action.id === 'approve' ? 'approved' : 'declined'} this`
    respondWith(new Promise(resolve => setTimeout(resolve, ANSWERED_AFTER_MS, words)))
  })
}
