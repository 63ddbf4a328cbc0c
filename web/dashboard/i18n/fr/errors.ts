import type { errors as english } from '../en/errors.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** What went wrong. */
export const errors: TextsOf<typeof english> = {
  'error.unreachable': 'Le serveur ne répond pas. Vérifiez la connexion et réessayez.',
  'error.invalid': 'Une saisie n’est pas valide. Vérifiez-la et réessayez.',
  'error.signedOut': 'Votre session est terminée. Reconnectez-vous.',
  'error.forbidden': 'Cela n’est pas autorisé.',
  'error.notFound': 'Il n’y a rien ici. L’élément a peut-être été supprimé.',
  'error.conflict': 'Quelque chose a changé entre-temps. Rechargez la page et réessayez.',
  'error.gone': 'Cela n’est plus disponible.',
  'error.tooLarge': 'C’est trop volumineux.',
  'error.refused': 'Cela ne peut pas être exécuté.',
  'error.tooMany': 'Trop de demandes. Attendez un instant et réessayez.',
  'error.tooManyWait_one': 'Trop de demandes. Réessayez dans une seconde.',
  'error.tooManyWait_other': 'Trop de demandes. Réessayez dans {{count}} secondes.',
  'error.tooManyWait': 'Trop de demandes. Réessayez dans {{count}} secondes.',
  'error.unavailable': 'Le serveur n’est pas prêt. Réessayez dans un instant.',
  'error.server': 'Le serveur a échoué. Réessayez.',
  'error.serverWithId': 'Le serveur a échoué. Réessayez ; son journal en dit plus sous {{requestId}}.',
  'error.unexpected': 'Un problème est survenu sur cette page. Rechargez-la.',
}
