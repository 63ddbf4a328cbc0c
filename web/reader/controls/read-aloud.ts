import { element, iconButton, icons } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import { type Box, boxOfLine, lineAt, type Sentence, sentencesOf, type Word } from '../pages/words.ts'
import { mark } from '../search/find-on-page.ts'

/** Speeds to choose from, as factors of the usual one. */
const RATES = [0.75, 1, 1.25, 1.5, 2]

type Reading = { page: number; words: Word[]; sentences: Sentence[]; next: number }

/** Reads the pages aloud by the voices of the device (Web Speech), from the current page on, and marks the line. */
export class ReadAloud {
  readonly #deps: ReaderDeps
  readonly #viewer: Viewer
  readonly #controls: ReturnType<typeof makeBar>
  /** Increases with each sentence, so that late events of a sentence that was cut off are recognised. */
  #turn = 0
  #reading: Reading | undefined

  constructor(deps: ReaderDeps, viewer: Viewer) {
    this.#deps = deps
    this.#viewer = viewer
    this.#controls = makeBar(deps, {
      togglePause: () => this.#togglePause(),
      stop: () => this.#stop(),
      restart: () => this.#restart(),
    })
    addEventListener('pagehide', () => this.#stop())
  }

  /** Starts at the page being read, or stops. */
  toggle(): void {
    if (this.#reading !== undefined) this.#stop()
    else void this.#readFrom(this.#viewer.shown()[0] ?? this.#deps.store.current.page)
  }

  /** Stops; false if nothing was read. */
  end(): boolean {
    if (this.#reading === undefined) return false
    this.#stop()
    return true
  }

  async #readFrom(page: number): Promise<void> {
    const { data, wordsOf, announce, t } = this.#deps
    const mine = ++this.#turn
    for (let at = page; at <= data.pageCount; at++) {
      const words = await wordsOf(at).catch((): Word[] => [])
      if (mine !== this.#turn) return
      const sentences = sentencesOf(words)
      if (sentences.length === 0) continue
      if (!this.#viewer.shown().includes(at)) await this.#viewer.goTo(at, { isQuiet: true })
      if (mine !== this.#turn) return
      this.#reading = { page: at, words, sentences, next: 0 }
      return this.#speakNext()
    }
    this.#stop()
    announce(t('nothingToRead'))
  }

  #speakNext(): void {
    const { data, announce, t } = this.#deps
    const reading = this.#reading
    if (reading === undefined) return
    const sentence = reading.sentences[reading.next]
    if (sentence === undefined) return void this.#readFrom(reading.page + 1)
    const mine = ++this.#turn
    const utterance = new SpeechSynthesisUtterance(sentence.text)
    if (data.documentLanguage !== undefined) utterance.lang = data.documentLanguage
    utterance.rate = Number(this.#controls.rate.value)
    utterance.onboundary = ({ charIndex }) => {
      if (mine === this.#turn) this.#markLine(sentence, lineAt(sentence, charIndex))
    }
    utterance.onend = () => {
      if (mine !== this.#turn) return
      reading.next++
      this.#speakNext()
    }
    utterance.onerror = () => {
      if (mine !== this.#turn) return
      this.#stop()
      announce(t('noVoice'))
    }
    this.#show(false)
    const box = this.#markLine(sentence, lineAt(sentence, 0))
    // A line comes into view with its sentence only, so that the reader may look elsewhere meanwhile.
    if (box !== undefined) this.#viewer.reveal(reading.page, box)
    speechSynthesis.speak(utterance)
  }

  /**
   * Marks the line that is read, and returns its box. The other lines of its sentence are marked lightly, because some
   * voices do not say which word they have come to.
   */
  #markLine({ words }: Sentence, line: number): Box | undefined {
    unmark()
    const reading = this.#reading
    if (reading === undefined) return undefined
    const layer = element('div', { class: 'hits spoken', 'aria-hidden': 'true' })
    for (const each of new Set(words.map((word) => word.line))) {
      const box = boxOfLine(reading.words, each)
      if (box !== undefined) layer.append(mark(box, each === line))
    }
    this.#deps.pages.section(reading.page)?.querySelector('.links')?.before(layer)
    return boxOfLine(reading.words, line)
  }

  #togglePause(): void {
    const isPaused = this.#controls.pause.getAttribute('aria-pressed') === 'true'
    if (isPaused) speechSynthesis.resume()
    else speechSynthesis.pause()
    this.#show(!isPaused)
  }

  #show(isPaused: boolean): void {
    this.#controls.bar.hidden = false
    this.#controls.pause.setAttribute('aria-pressed', String(isPaused))
  }

  /** Begins the sentence anew, such as with another speed. */
  #restart(): void {
    if (this.#reading === undefined) return
    this.#silence()
    this.#speakNext()
  }

  #stop(): void {
    this.#silence()
    this.#reading = undefined
    this.#controls.bar.hidden = true
    unmark()
  }

  #silence(): void {
    this.#turn++
    // A queue that was paused stays so, and would never speak again.
    speechSynthesis.resume()
    speechSynthesis.cancel()
  }
}

/** Returns whether this browser can read aloud, if the device has voices. */
export function canReadAloud(): boolean {
  return 'speechSynthesis' in window
}

/** A browser asks the device for its voices when a page wants them, and has them a little later. */
const VOICES_WITHIN_MS = 3_000

/** Calls the listener with whether the device has voices, once the browser knows, and whenever that changes. */
export function watchVoices(listener: (hasVoices: boolean) => void): void {
  const look = () => listener(speechSynthesis.getVoices().length > 0)
  speechSynthesis.getVoices()
  // Older versions of Safari do not tell, and have them at once.
  speechSynthesis.addEventListener?.('voiceschanged', look)
  setTimeout(look, VOICES_WITHIN_MS)
}

function unmark(): void {
  document.querySelector('.spoken')?.remove()
}

type Actions = { togglePause(): void; stop(): void; restart(): void }

function makeBar({ t, data }: ReaderDeps, { togglePause, stop, restart }: Actions) {
  const pause = iconButton(t('pause'), icons.pause, togglePause, { 'aria-pressed': 'false' })
  const factors = new Intl.NumberFormat(data.interfaceLanguage)
  const rate = element(
    'select',
    { 'aria-label': t('speed') },
    ...RATES.map((factor) =>
      element('option', { value: factor, selected: factor === 1 }, `${factors.format(factor)} ×`),
    ),
  )
  rate.addEventListener('change', restart)
  const bar = element(
    'div',
    { class: 'speech-bar', role: 'region', 'aria-label': t('readAloud'), hidden: true },
    element('span', {}, t('readAloud')),
    element('span', { class: 'tools' }, rate, pause, iconButton(t('stopReading'), icons.close, stop)),
  )
  document.body.append(bar)
  return { bar, pause, rate }
}
