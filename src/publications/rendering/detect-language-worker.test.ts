import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { detectLanguage } from './detect-language-worker.ts'

const FRENCH = 'Le conseil communal a approuvé le budget pour l’année prochaine, malgré les critiques de l’opposition.'
const GERMAN = 'Der Gemeinderat hat das Budget für das kommende Jahr trotz der Kritik der Opposition genehmigt.'
const HEBREW = 'המועצה אישרה את התקציב לשנה הבאה למרות הביקורת של האופוזיציה על ההוצאות של העירייה.'

describe('detectLanguage', () => {
  test('returns the language of most of the text', () => {
    assert.equal(detectLanguage([FRENCH]), 'fr')
    assert.equal(detectLanguage(['2026', GERMAN, GERMAN, FRENCH]), 'de')
    assert.equal(detectLanguage([HEBREW]), 'he')
  })

  test('returns none for several languages, titles, figures and noise', () => {
    assert.equal(detectLanguage([FRENCH, GERMAN]), undefined)
    assert.equal(detectLanguage(['Rapport annuel', 'Merci', '12 34 56 CHF 45.–']), undefined)
    assert.equal(detectLanguage(['aj kqwe zxcv poiu lkjh mnbv qwer asdf '.repeat(20)]), undefined)
    assert.equal(detectLanguage([]), undefined)
  })
})
