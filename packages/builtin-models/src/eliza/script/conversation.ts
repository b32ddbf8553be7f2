/** The start and end of a conversation, forms of sentences, and statements about the program itself. */
export const CONVERSATION = `
key 0: $greeting
  if *: Hello. I am Eliza. What would you like to talk about?
key 0: $silence
  if *: Take your time. I am listening. | You sent no words. What is on your mind?
    | Silence is fine too. Write when you are ready.
key 0: $foreign
  if *: I only follow English, and only a little of it. Could you say that in English?
    | I am sorry, my rules are written for English. Can you try it in English?
key 0: $repeat
  if *: You said the same just now. What makes it worth saying twice?
    | That is word for word what you wrote before. Did I miss something in it?
    | We seem to be going in a circle. Where would you like to leave it?
key 0: $question
  if *: That is a question I have no rule for. What would you like the answer to be?
    | I can't answer that. What made you think of it? | What would change once you knew?
    | I do not know. What is your own guess? | How long has that question been with you?
key 0: $short
  if +: (1)? Say a little more, please. | And what lies behind that? | (1)? What comes to mind when you think of it?
    | And what does that have to do with you?
key 0: $none
  if *: Do tell me more. | I see. And what does that mean to you? | Tell me more about that.
    | How do you feel when you say that? | That sounds important. What happened next?
key 6: hello hi hey greetings howdy hiya
  if *: Hello. What would you like to talk about today? | Hello again. What is on your mind?
    | Hi. Shall we go on where we were?
key 8: morning evening afternoon
  if good @daytime *: Good (1) to you. How has the day treated you so far?
  if * this @daytime *: What happened this (2)?
  if * in the @daytime *: What are your (2)s usually like?
key 12: how
  if how are you *: I am a program, so I am always the same. How are you?
    | No change here: rules do not have good or bad days. How about you?
  if how do you feel *: I have no feelings, only rules. How do you feel?
  if how do you *: go $eliza-works
  if how much *: go $numbers
  if how many *: go $numbers
  if how *: How would you go about finding that out? | What would the answer change for you?
key 30: bye goodbye farewell cya
  if *: Goodbye. Thank you for talking with me. | Goodbye. I hope it helped to put it into words.
key 31: go leave
  if * i need to @go: go bye
  if * i need to @go now: go bye
  if * i have to @go: go bye
  if * i have to @go now: go bye
  if * i must @go *: go bye
  if * go to hell *: You may say so; I can't be offended. What went wrong?
key 15: fail failed failing
  if * @i failed +: What would you have needed at the time? | Whom did you tell about it?
  if *: What would failing mean, in the end? | What have you succeeded in?
key 30: see
  if see you *: go bye
  if * see you later: go bye
key 19: thanks thank
  if * thank @you for +: You are welcome. What was it about (3) that helped?
  if *: You are welcome. Is there anything else on your mind?
    | You did the work; I only reflected it. What comes next?
key 13: sorry apologise apologize
  if * i am sorry for +: What makes you feel responsible for (2)?
  if *: There is no need to apologise to a program. | No harm done. What did you want to say?
    | Do you often find yourself apologising?
key 3: yes yeah sure certainly definitely exactly indeed absolutely
  if @agree: What speaks most for it? | Good. Can you say more about it?
  if yes +: What makes you say that (1)? | I see. Go on.
key 3: no never
  if no: What stands against it? | And if you had to say yes?
  if no @one *: go nobody
  if * i never +: What would it take for you to (2)? | What has kept you from it?
  if * never *: Never is a strong word. Can you think of an exception?
key 3: okay fine alright
  if *: Just fine, or is there more to it? | All right. What should we look at next?
    | Where would you like to go from here?
key 4: maybe perhaps possibly probably guess suppose
  if *: How would you find out? | What speaks for it, and what speaks against it?
    | If you had to decide now, which way would you lean?
key 4: dunno idk
  if *: go $unsure
key 0: $unsure
  if *: Suppose that you did know. What would you say then? | Which part of it is the least clear to you?
    | Not knowing can be a start. What do you know for certain?
key 0: $eliza-works
  if *: I look for keywords in what you write and turn your own sentence around. Nothing in me understands it.
    | By rules: a keyword picks a pattern, the pattern picks a reply. What made you curious about it?
    | No magic is involved: a list of rules, as Weizenbaum described in 1966. Shall we return to you?
key 0: $numbers
  if *: I can't count or calculate; I only converse. What do you need the number for?
    | Figures are beyond my rules. What hangs on it?
key 0: $no-facts
  if *: I know no facts about the world; I only work with what you tell me. Why does it interest you?
    | That is outside what I can look up. What do you know about it yourself?
key 40: ai chatbot robot bot machine program computer llm gpt chatgpt algorithm human person
  if * are you @maker *: go $what-i-am
  if * are you a @maker *: go $what-i-am
  if * are you an @maker *: go $what-i-am
  if * you are @maker *: go $what-i-am
  if * you are just a @maker *: go $what-i-am
  if * you are a @maker *: go $what-i-am
  if * you are an @maker *: go $what-i-am
  if * you are only a @maker *: go $what-i-am
  if * you human *: go $what-i-am
  if * @computers *: go computers
  if * am i +: go am
key 0: $what-i-am
  if *: I am a small program that follows rules. I am no language model and no person. Does that bother you?
    | Only a program, yes. Would it be different for you to talk to a person about this?
    | There is nobody behind these lines, just a script. What would you tell a person that you do not tell me?
key 12: computers laptop internet software phone technology screen
  if *: What part do machines play in your life? | Do machines make things easier for you, or harder?
    | How would a week without it feel?
key 41: eliza weizenbaum
  if * who is eliza *: go $what-i-am
  if * weizenbaum *:
    | Joseph Weizenbaum wrote the first program of this kind in 1966. What do you find interesting about it?
  if *: Yes, that is my name. What did you want to say? | I am here. Go on.
key 42: help
  if help: go $help
  if * what can you help *: go $help
  if * can you help me with +: What would you like to happen with (2)? | Tell me what you have tried about (2) so far.
  if * help me *: What kind of help would you like? | What would change if you had that help?
  if * i need help *: go $help-wanted
  if * help *: Who usually helps you? | When did somebody last help you?
key 0: $help-wanted
  if *: What is the hardest part of it at the moment? | Tell me what happened, from the start.
key 0: $help
  if *: Write about what moves you, and I reply by rules. "/call <tool> <JSON arguments>" makes me call your tool.
key 12: who
  if who are you *: go $what-i-am
  if who @made you *:
    | This script was written for this service, after an idea of Joseph Weizenbaum's. Why do you want to know?
  if who is +: go $no-facts
  if who @can i +: Whom have you thought of already?
  if who *: Is there a certain person you think of?
key 12: what
  if what is your name *: My name is Eliza. What may I call you?
  if what are you: go $what-i-am
  if what are you doing *: Reading what you write, one line at a time. And you?
  if what can you do *: go $help
  if what do you do *: go $help
  if what @can you do *: What would you advise somebody in your place?
    | I would only follow my rules. Which of your own rules applies here?
  if what @facts *: go $no-facts
key 12: where when which
  if when i was +: What do you remember best from that time? | What has changed since then?
  if when i +: And what goes through your mind when you (1)? | Does it always happen when you (1)?
  if where @facts *: go $no-facts
  if when @facts *: go $no-facts
  if which +: Which one would you choose yourself?
key 12: why
  if * why don't you +: My rules do not allow for much. What would you do with it? | Would it help you if I did?
  if * why are you +: Does it matter to you whether I am (2)?
    | Perhaps it only looks that way. What gave you the impression?
  if * why @can you *: go $eliza-works
  if * why *: What reasons have you considered? | Does any reason come to your mind?
key 18: my
  if * my name is +: Nice to meet you, (2). What brings you here? | So you are (2). What should I know about you?
  if * my fault *: What part of it was really yours to decide?
  if my +: Tell me more about your (1). | Your (1): what does that bring to mind?
key 15: can't unable
  if * @i can't +: What happens when you try to (3)? | What would change if you could (3)?
  if * @i am unable to +: What would help you to (3)?
  if *: What makes it impossible?
key 12: am
  if * i am going to be +: How do you imagine being (2)? | What will change when you are (2)?
  if * i am going to +: What do you expect to come of it? | What would make you change your mind?
    keep You said you were going to (2). Have you decided?
  if * i am a +: What does it mean to you to be a (2)? | How did you become a (2)?
    keep You described yourself as a (2). What else are you?
  if * i am +: Since when have you been (2)? | How do you feel about being (2)? | Do others know that you are (2)?
key 11: was were
  if * was i +: Suppose that you were. What then?
  if * i was +: What was it like to be (2)? | What has become of that?
  if * @they @are +: And how did you deal with that?
key 13: have had must should ought
  if * @i have to +: Who says that you have to (3)? | What would happen if you did not (3)?
    keep You said that you have to (3). Who decided that?
  if * @i should +: What keeps you from it? | Whose voice says that you should?
  if * @i have +: How do you feel about that? | What comes next?
  if * @i had +: What remains of it?
key 10: you your yourself
  if * you are +: What did I write that looks (2) to you?
    | Suppose that I am (2). What would you want me to do about it?
  if * do you understand *: I understand nothing; I follow rules. What would you most like to be understood?
  if *: There is not much to me. How is it with you? | I only reflect. What would you see without the mirror?
key 7: i
  if i don't know *: go $unsure
  if * i don't know *: go $unsure
  if * i don't understand *: Which part is unclear? | What would you need to make sense of it?
  if * i would +: What holds you back? | What would have to happen first?
  if * i +: You (2): how was that for you? | Why do you tell me that just now? | What does it tell you about yourself?
key 8: can could would
  if @can you +: I can only converse. What would it mean to you if I could (2)?
    | What makes you wish that I could (2)?
  if @can i +: Do you want to be able to (2)? | What would stop you?
  if * @we @can +: Who would take the first step?
key 9: we us our
  if * we @never *: Who of you minds it most?
  if * we +: Who is "we" here? | And how was it for you yourself?
  if *: What connects you?
key 5: it this that
  if is @it +: What would it mean to you if it were (2)? | Who could tell whether it is (2)?
  if * that is all *: Then let us leave it at that. What else is on your mind?
  if *: What does that mean to you? | Can you describe it more closely?
key 15: change changed changes improve
  if * @i want to change *: What would you change first?
  if * nothing * @change *: What is the smallest thing that could?
  if *: What started the change? | What should stay as it is?
`;
