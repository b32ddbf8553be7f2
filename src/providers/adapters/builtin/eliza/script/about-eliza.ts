/** Questions and remarks about the program itself. */
export const ABOUT_ELIZA = `

key 0: $eliza-works
  if *
    say I look for keywords in what you write and turn your own sentence around. Nothing in me understands it.
    say By rules: a keyword picks a pattern, the pattern picks a reply. What made you curious about it?
    say No magic is involved: a list of rules, as Weizenbaum described in 1966. Shall we return to you?

key 0: $numbers
  if *
    say I can't count or calculate; I only converse. What do you need the number for?
    say Figures are beyond my rules. What hangs on it?

key 0: $no-facts
  if *
    say I know no facts about the world; I only work with what you tell me. Why does it interest you?
    say That is outside what I can look up. What do you know about it yourself?

key 40: ai chatbot robot bot machine program computer llm gpt chatgpt algorithm human person
  if * are you @maker *
    go $what-i-am
  if * are you a @maker *
    go $what-i-am
  if * are you an @maker *
    go $what-i-am
  if * you are @maker *
    go $what-i-am
  if * you are just a @maker *
    go $what-i-am
  if * you are a @maker *
    go $what-i-am
  if * you are an @maker *
    go $what-i-am
  if * you are only a @maker *
    go $what-i-am
  if * you human *
    go $what-i-am
  if * @computers *
    go computers
  if * am i +
    go am

key 0: $what-i-am
  if *
    say I am a small program that follows rules. I am no language model and no person. Does that bother you?
    say Only a program, yes. Would it be different for you to talk to a person about this?
    say There is nobody behind these lines, just a script. What would you tell a person that you do not tell me?

key 12: computers laptop internet software phone technology screen
  if *
    say What part do machines play in your life?
    say Do machines make things easier for you, or harder?
    say How would a week without it feel?

key 41: eliza weizenbaum
  if * who is eliza *
    go $what-i-am
  if * weizenbaum *
    say Joseph Weizenbaum wrote the first program of this kind in 1966. What do you find interesting about it?
  if *
    say Yes, that is my name. What did you want to say?
    say I am here. Go on.

key 42: help
  if help
    go $help
  if * what can you help *
    go $help
  if * can you help me with +
    say What would you like to happen with (2)?
    say Tell me what you have tried about (2) so far.
  if * help me *
    say What kind of help would you like?
    say What would change if you had that help?
  if * i need help *
    go $help-wanted
  if * help *
    say Who usually helps you?
    say When did somebody last help you?

key 0: $help-wanted
  if *
    say What is the hardest part of it at the moment?
    say Tell me what happened, from the start.

key 0: $help
  if *
    say Write about what moves you, and I reply by rules. "/call <tool> <JSON arguments>" makes me call your tool.

key 12: who
  if who are you *
    go $what-i-am
  if who @made you *
    say This script was written for this service, after an idea of Joseph Weizenbaum's. Why do you want to know?
  if who is +
    go $no-facts
  if who @can i +
    say Whom have you thought of already?
  if * someone who +
    say Do you have somebody in mind?
  if who *
    say Is there a certain person you think of?

key 12: what
  if what is your name *
    say My name is Eliza. What may I call you?
  if what are you
    go $what-i-am
  if what are you doing *
    say Reading what you write, one line at a time. And you?
  if what can you do *
    go $help
  if what do you do *
    go $help
  if what @can you do *
    say What would you advise somebody in your place?
    say I would only follow my rules. Which of your own rules applies here?
  if what do you think *
    say I have no opinions to offer. What do you think yourself?
    say My view would only be a rule. Yours is more interesting.
  if what should i +
    say What speaks for each of the choices you have?
    say What would you do if nobody were watching?
  if what @can i +
    say What have you thought of already?
    say What would you do if you could not fail?
  if what if +
    say What if (1), indeed. What would be the worst of it, and what the best?
    say How likely does it seem to you that (1)?
  if what do you mean *
    say I only turned your own words around. What did they mean to you?
  if what about you *
    say There is little to tell: I am a list of rules. Let us stay with you.
  if what about +
    say What about (1)? You first.
  if what is the meaning of +
    say What has given (1) meaning so far?
  if what @facts *
    go $no-facts

key 12: where when which
  if when i was +
    say What do you remember best from that time?
    say What has changed since then?
  if when i +
    say And what goes through your mind when you (1)?
    say Does it always happen when you (1)?
  if where are you *
    say Inside the service that you are connected to. Where are you?
  if where @facts *
    go $no-facts
  if when @facts *
    go $no-facts
  if which +
    say Which one would you choose yourself?

key 12: why
  if * why don't you +
    say My rules do not allow for much. What would you do with it?
    say Would it help you if I did?
  if * why can't i +
    say What do you think holds you back?
    say When did you last try?
  if * why are you +
    say Does it matter to you whether I am (2)?
    say Perhaps it only looks that way. What gave you the impression?
  if * why @can you *
    go $eliza-works
  if * why am i +
    say When did you first notice that you are (2)?
    say What is your own explanation?
  if * why do i +
    say What do you tell yourself about it?
    say When do you notice it most?
  if why
    say Because it seemed to matter to you. Does it?
    say What reason would satisfy you?
  if why not
    say What would speak against it?
  if * why *
    say What reasons have you considered?
    say Does any reason come to your mind?

key 14: weather news football recipe capital president translate calculate population
  if *
    go $no-facts

key 21: code javascript python typescript function bug
  if *
    say I can't read or write code. What are you trying to build?
    say Programs talking about programs. What is the trouble with it?
`;
