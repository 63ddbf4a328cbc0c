import type { TextsOf } from '../en/texts-of.ts'
import type { tokens as english } from '../en/tokens.ts'

/** App tokens. */
export const tokens: TextsOf<typeof english> = {
  'token.token': 'Jeton de l’application',
  'token.server': 'Adresse du serveur',
  'token.qr': 'Code QR avec l’adresse du serveur et le jeton',
  'token.qrHelp': 'À scanner avec l’application : adresse du serveur et jeton en une fois.',
  'token.curlCreate': 'Pour essayer : commencer une trace',
  'token.curlPoint': 'Lui envoyer un point',
  'token.curlFinish': 'La terminer',

  'tokens.explanation':
    'Avec un jeton, une application envoie des traces à cet événement et lit celles qui y sont. Donnez à chaque équipe le sien pour pouvoir en retirer un seul.',
  'tokens.empty': 'Aucun jeton',
  'tokens.emptyHelp': 'Sans jeton, aucune application ne peut envoyer de traces à cet événement.',
  'tokens.new': 'Le nouveau jeton',
  'tokens.create': 'Nouveau jeton',
  'tokens.createSubmit': 'Créer le jeton',
  'tokens.label': 'Pour qui',
  'tokens.labelHelp': 'Pour le reconnaître. Peut rester vide.',
  'tokens.createdAt': 'Créé',
  'tokens.lastUsed': 'Dernière utilisation',
  'tokens.never': 'jamais',
  'tokens.expires': 'Fin',
  'tokens.show': 'Afficher',
  'tokens.showThis': 'Afficher le jeton {{name}}',
  'tokens.cannotShow':
    'Ce jeton a été créé sous un autre secret du serveur et ne peut pas être affiché. Il fonctionne encore.',
  'tokens.revoke': 'Révoquer',
  'tokens.revokeThis': 'Révoquer le jeton {{name}}',
  'tokens.revokeHelp':
    'Les applications qui l’utilisent sont refusées dès leur prochaine requête. Ce qu’elles ont envoyé reste.',
  'tokens.revokeLast': 'C’est le seul jeton de cet événement.',
  'tokens.revoked': 'Le jeton est révoqué',
  'tokens.rotate': 'Tout remplacer',
  'tokens.rotateHelp':
    'Un nouveau jeton remplace tous les autres. Laissez vivre les anciens quelque temps, pour que les téléphones en route puissent changer.',
  'tokens.rotateSubmit': 'Remplacer les jetons',
  'tokens.keep': 'Les anciens jetons se terminent',
  'tokens.keepNot': 'aussitôt',
  'tokens.keepHour': 'dans une heure',
  'tokens.keepDay': 'dans un jour',
  'tokens.keepWeek': 'dans une semaine',
  'tokens.keepMonth': 'dans 30 jours',
}
